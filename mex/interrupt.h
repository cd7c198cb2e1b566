/* Ctrl-C in Octave. */
#ifndef MEX_INTERRUPT_H
#define MEX_INTERRUPT_H

#ifdef __cplusplus
extern "C" {
#endif

/* interrupt_pending -- whether the user asked to stop; an attn_run's `interrupted`. */
int interrupt_pending (void *unused);

/* interrupt_raise -- leaves the function by Octave's interrupt if one is pending, else returns. */
void interrupt_raise (void);

#ifdef __cplusplus
}
#endif
#endif
