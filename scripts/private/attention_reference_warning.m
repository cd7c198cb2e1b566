% attention_reference_warning ()
%
% Says once a session that the reference implementation runs; locked, so that `clear all` does not
% make it say so again.

function attention_reference_warning ()
  persistent said = false;
  mlock ();
  if (~ said)
    said = true;
    warning ('attention:not-compiled', '%s', ['attention: nothing has been compiled, so the ' ...
             'slow reference implementation runs (type make in the folder of the package)']);
  end
end
