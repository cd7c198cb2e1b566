/* Status codes, error text and run control shared by every public function.
 *
 * Conventions of the whole C interface
 *   - Every function that can fail returns attn_status and takes a last `attn_error *`, which may
 * be NULL.  On failure its text names the argument, what was expected and what came; on success it
 *     is left alone.
 *   - open/create functions give ownership and are paired with close/free, which take a pointer to
 *     the pointer, set it to NULL and accept NULL.  get/view functions borrow.  fill/read functions
 *     write memory of the caller.
 *   - Dimensions carry the same letter everywhere: B batches, T tokens, C channels (width of a
 * token vector), H heads, d channels of one head, L layers, V vocabulary entries.
 *   - No function prints, exits, or keeps state outside its arguments; all are re-entrant unless
 *     their comment says otherwise. */
#ifndef ATTN_STATUS_H
#define ATTN_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
  ATTN_OK = 0,
  ATTN_E_SIZE,            /* attention:size-mismatch */
  ATTN_E_TYPE,            /* attention:bad-type */
  ATTN_E_OPTION,          /* attention:bad-option */
  ATTN_E_RANGE,           /* attention:out-of-range */
  ATTN_E_EMPTY_TEXT,      /* attention:empty-text */
  ATTN_E_TOO_LONG,        /* attention:too-long */
  ATTN_E_MODEL_NOT_FOUND, /* attention:model-not-found */
  ATTN_E_MODEL_CORRUPT,   /* attention:model-corrupt */
  ATTN_E_NOMEM,           /* attention:no-memory */
  ATTN_E_WRITE,           /* attention:write-failed */
  ATTN_E_DIVERGED,        /* attention:diverged */
  ATTN_E_INTERRUPTED      /* attention:interrupted */
} attn_status;

/* Text of the last failure, NUL-terminated; longer texts are cut. */
typedef struct {
  char text[1024];
} attn_error;

/* attn_status_id -- the error id of a status, "attention:..."; "" for ATTN_OK.  Static memory. */
const char *attn_status_id (attn_status status);

/* attn_fail -- writes a printf-style message to ERR (may be NULL) and returns STATUS, so that a
 * failing check reads `return attn_fail (err, ATTN_E_SIZE, "...", ...)`. */
attn_status attn_fail (attn_error *err, attn_status status, const char *format, ...)
#if defined(__GNUC__)
    __attribute__ ((format (printf, 3, 4)))
#endif
    ;

/* How a long computation runs.  A NULL pointer to this struct means the defaults. */
typedef struct {
  int threads; /* worker threads; 0 = ATTN_NUM_THREADS or OMP_NUM_THREADS if set, else
                  the processors this process may use */
  int (*interrupted) (void *); /* polled from the calling thread only; non-zero ends the computation
                                 with ATTN_E_INTERRUPTED; NULL = never */
  void *interrupted_data;      /* handed to `interrupted` */
  struct parallel_team *team;  /* the core's own: NULL */
} attn_run;

#ifdef __cplusplus
}
#endif

#endif
