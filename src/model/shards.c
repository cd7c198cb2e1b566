#include "model/shards.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "model/wording.h"

static int compare_names (const void *a, const void *b)
{
  const char *const *x = a;
  const char *const *y = b;
  return strcmp (*x, *y);
}

static attn_status check_name (const char *source, const char *name, attn_error *err)
{
  if (name[0] != '\0' && strpbrk (name, "/\\") == NULL && strcmp (name, ".") != 0 &&
      strcmp (name, "..") != 0)
    return ATTN_OK;
  return attn_fail (err, ATTN_E_MODEL_CORRUPT,
                    "%s: 'weight_map' names the shard '%s': expected a file in the same folder",
                    source, printable_name (name).text);
}

attn_status shard_list_parse (shard_list *list, const char *source, const char *text, size_t bytes,
                              attn_error *err)
{
  json_value map;
  *list = (shard_list){0};
  attn_status status = json_parse (&list->index, source, text, bytes, err);
  if (status == ATTN_OK)
    status = json_require (json_root (list->index), "weight_map", &map, err);
  if (status == ATTN_OK)
    status = json_check_unique (map, err);
  if (status != ATTN_OK)
    return status;
  size_t entries = json_count (map), n = 0;
  if (entries == 0)
    return attn_fail (err, ATTN_E_MODEL_CORRUPT, "%s: 'weight_map' names no shard", source);
  list->names = attn_alloc (entries, sizeof *list->names);
  if (list->names == NULL)
    return attn_no_memory (err, "the list of shards", entries, sizeof *list->names);
  for (json_value v = json_first (map); json_kind_of (v) != JSON_ABSENT; v = json_next (v)) {
    status = json_read_string (v, &list->names[n], err);
    if (status == ATTN_OK)
      status = check_name (source, list->names[n++], err);
    if (status != ATTN_OK)
      return status;
  }
  qsort (list->names, n, sizeof *list->names, compare_names);
  for (size_t i = 0; i < n; i++)
    if (list->count == 0 || strcmp (list->names[list->count - 1], list->names[i]) != 0)
      list->names[list->count++] = list->names[i];
  return ATTN_OK;
}

void shard_list_free (shard_list *list)
{
  attn_free (list->names);
  json_free (&list->index);
  *list = (shard_list){0};
}
