function folder = gpt2_fixture (name)
% Folder of the fixture model NAME ('plain_f32', 'prefixed_bf16', 'sharded_f16').

  octave_tests = fileparts (fileparts (mfilename ('fullpath')));
  folder = fullfile (fileparts (octave_tests), 'fixtures', 'gpt2_models', name);
end
