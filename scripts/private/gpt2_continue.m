function [ids, tokens] = gpt2_continue (model, prompt_ids, most, sampling, stream, start)
% Lets MODEL add up to MOST tokens to PROMPT_IDS, drawn as SAMPLING says (temperature, top_k, top_p,
% seed).  With STREAM true the text START and then each token are printed as they come.
% IDS and TOKENS are the new ones, without the end-of-text token.

  ids = zeros (1, most);
  tokens = cell (1, most);
  count = 0;
  page_screen_output (false, 'local');
  waiting = '';
  handle = gpt2_core ('generate_start', model.folder, prompt_ids, numel (prompt_ids) + most, ...
                     sampling.temperature, sampling.top_k, sampling.top_p, sampling.seed);
  unwind_protect
    if (stream)
      fputs (stdout, start);
      fflush (stdout);
    end
    while (count < most)
      id = gpt2_core ('generate_next', handle);
      if (id == model.end_of_text)
        break;
      end
      count = count + 1;
      ids(count) = id;
      tokens(count) = gpt2_core ('tokens', model.folder, id);
      if (stream)
        [ready, waiting] = whole_characters ([waiting tokens{count}]);
        fputs (stdout, ready);
        fflush (stdout);
      end
    end
  unwind_protect_cleanup
    gpt2_core ('generate_stop', handle);
    if (stream)
      fputs (stdout, [waiting sprintf('\n')]);
    end
  end_unwind_protect
  ids = ids(1:count);
  tokens = tokens(1:count);
end

function [ready, waiting] = whole_characters (text)
% Splits off the beginning of a UTF-8 character at the end of TEXT: a lead byte with fewer bytes
% behind it than it announces.
  bytes = double (text);
  last = find (bytes < 128 | bytes >= 192, 1, 'last');
  keep = numel (text);
  if (~isempty (last) && bytes(last) >= 192)
    announced = 2 + (bytes(last) >= 224) + (bytes(last) >= 240);
    if (numel (text) - last + 1 < announced)
      keep = last - 1;
    end
  end
  ready = text(1:keep);
  waiting = text(keep+1:end);
end
