% X = attention_zeros (dims, class, name)
%
% zeros (dims, class), or attention:no-memory, naming NAME, when the memory is not there.

function X = attention_zeros (dims, class, name)
  element = 8 - 4 * strcmp (class, 'single');
  bytes = prod (dims) * element;
  there = bytes < 2^62;
  if (there && bytes >= 2^28 && exist ('memory') == 2)
    % Asking first matters on systems that hand out more memory than they have.
    [~, system] = memory ();
    there = bytes <= system.PhysicalMemory.Available;
  end
  try
    if (there)
      X = zeros (dims, class);
    end
  catch
    there = false;
  end
  if (~ there)
    error ('attention:no-memory', '%s', sprintf (['attention: out of memory: %s needs %.0f ' ...
           'elements of %d bytes'], name, prod (dims), element));
  end
end
