function machine = bench_machine ()
  % machine = bench_machine () -- struct that says on what the numbers were taken.

  cpu = fileread ('/proc/cpuinfo');
  name = regexp (cpu, 'model name\s*:\s*([^\n]*)', 'tokens', 'once');
  if (isempty (name))
    name = {computer()};
  end
  machine.processor = name{1};
  machine.processors = nproc ();
  machine.octave = version ();
  machine.time = strftime ('%Y-%m-%d %H:%M', localtime (time ()));
end
