% The examples and the labs one after another in one session: what one leaves behind disturbs none
% of the others, whatever the order.

% Scripts of a folder of examples: files that are no function and not for making pictures.
%!function names = scripts_in (folder)
%! files = dir (fullfile (pwd (), 'examples', folder, '*.m'));
%! names = {};
%! for n = 1:numel (files)
%!   text = fileread (fullfile (pwd (), 'examples', folder, files(n).name));
%!   code = regexprep (text, '^\s*(%[^\n]*\n\s*)*', '');
%!   if (~ strncmp (code, 'function', 8) && ~ strcmp (files(n).name, 'draw_gallery.m'))
%!     names{end+1} = [folder '/' files(n).name(1:end-2)];
%!   end
%! end
%!endfunction

% In the second round each finds the variables that all the others have left.  Those that take long
% have one round only, at its start, and lab 4, which measures, runs elsewhere.
%!test
%! all_of_them = [scripts_in('.'), scripts_in('labs'), scripts_in('labs/solutions')];
%! assert (numel (all_of_them) >= 19);
%! in_list = @(list) cellfun (@(n) any (strcmp (regexp (n, '\w+$', 'match', 'once'), list)), ...
%!                            all_of_them);
%! measures = in_list ({'lab4_solution'});
%! slow = in_list ({'train_tiny', 'cost_quadratic', 'heads_and_layers', 'heatmaps', 'tired_wide'});
%! all_of_them = all_of_them(~ measures);
%! slow = slow(~ measures);
%! quick = all_of_them(~ slow);
%! text = run_example ([quick, all_of_them(slow), fliplr(quick)]);
%! assert (numel (strfind (text, 'The same in one call')), 2);
%! assert (numel (strfind (text, 'sorted without a mistake')), 1);
