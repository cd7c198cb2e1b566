/* Ctrl-C in Octave.  Since Octave 9 the flag is a C++ object that C cannot read, so this file is
 * C++; a build for MATLAB leaves it out. */
#include <quit.h>

#include "interrupt.h"

int interrupt_pending (void *)
{
  return octave_signal_caught ? 1 : 0;
}

void interrupt_raise (void)
{
  OCTAVE_QUIT;
}
