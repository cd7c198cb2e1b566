/* Signals in Octave.  Since Octave 9 its flags are C++ objects that C cannot read, so this file is
 * C++; a build for MATLAB leaves it out. */
#include <exception>
#include <quit.h>

#include "interrupt.h"

/* What Octave threw while it handled a signal: exit after SIGTERM, for example. */
static std::exception_ptr thrown;

int interrupt_pending (void *)
{
  if (octave_interrupt_state > 0 || thrown)
    return 1;
  try {
    OCTAVE_QUIT;
  } catch (...) {
    thrown = std::current_exception ();
  }
  return thrown ? 1 : 0;
}

void interrupt_raise (void)
{
  if (thrown) {
    std::exception_ptr taken;
    std::swap (taken, thrown);
    std::rethrow_exception (taken);
  }
  if (octave_interrupt_state > 0)
    octave_handle_signal ();
}
