/* model.safetensors.index.json: which files hold a model that is split into several. */
#ifndef MODEL_SHARDS_H
#define MODEL_SHARDS_H

#include <stddef.h>
#include "attn/status.h"
#include "base/json.h"

typedef struct {
  json_document *index; /* owned */
  const char **names;   /* owned list of `count` borrowed file names, sorted, each once */
  size_t count;         /* at least 1 */
} shard_list;

/* shard_list_parse -- reads the BYTES bytes of TEXT; SOURCE names the file in messages.  Each shard
 * is the plain name of a file next to the index: a name with a separator, "." and ".." are refused.
 * What tensor is in which shard is left to the shards themselves.
 * out:     *list, to be freed by shard_list_free, also after an error.
 * Errors:  ATTN_E_MODEL_CORRUPT, ATTN_E_NOMEM. */
attn_status shard_list_parse (shard_list *list, const char *source, const char *text, size_t bytes,
                              attn_error *err);
void shard_list_free (shard_list *list);

#endif
