#define _POSIX_C_SOURCE 200809L
#include "support/isas.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "kernel/kern.h"

void each_isa (void (*check) (void *context), void *context)
{
  for (int isa = 0; isa < KERN_ISAS; isa++) {
    if (!kern_isa_runs ((kern_isa)isa))
      continue;
    assert_int_equal (setenv ("ATTN_KERNEL", kern_isa_name ((kern_isa)isa), 1), 0);
    assert_int_equal (kern_isa_choose (), isa);
    check (context);
  }
  assert_int_equal (unsetenv ("ATTN_KERNEL"), 0);
}
