/* Runs a check once for each instruction set that this build and this processor have. */
#ifndef TEST_SUPPORT_ISAS_H
#define TEST_SUPPORT_ISAS_H

/* each_isa -- calls CHECK (CONTEXT) with ATTN_KERNEL set to one name after the other, and
 * leaves the variable unset. */
void each_isa (void (*check) (void *context), void *context);

#endif
