/* Ctrl-C and other signals in Octave. */
#ifndef MEX_INTERRUPT_H
#define MEX_INTERRUPT_H

#ifdef __cplusplus
extern "C" {
#endif

/* interrupt_pending -- whether the computation is to end; an attn_run's `interrupted`.  Only Ctrl-C
 * ends it, and what Octave throws when it handles another signal (SIGTERM: it exits); all others
 * are handled here and leave no trace. */
int interrupt_pending (void *unused);

/* interrupt_raise -- leaves the function as the interrupt or signal asks for if one is pending,
 * else returns. */
void interrupt_raise (void);

#ifdef __cplusplus
}
#endif
#endif
