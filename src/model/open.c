/* Opening a model folder: finds the files, has each read, keeps what must stay. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/size.h"
#include "model/config.h"
#include "model/guard.h"
#include "model/layout.h"
#include "model/model.h"
#include "model/shards.h"
#include "model/text_file.h"
#include "model/weights.h"
#include "model/wording.h"

static const char config_name[] = "config.json";
static const char weights_name[] = "model.safetensors";
static const char index_name[] = "model.safetensors.index.json";

enum { FOLDER_MAX = 4096 }; /* bytes of a path; longer ones fail with a message */

/* absolute_folder -- FOLDER as a path that stays valid when the current folder changes.  Symbolic
 * links stay in it, so that a link that is set to another model counts as a change. */
static attn_status absolute_folder (char path[FOLDER_MAX], const char *folder, attn_error *err)
{
  struct stat info;
  char reason[128];
  size_t used = 0;
  if (folder[0] != '/' && getcwd (path, FOLDER_MAX) != NULL) {
    used = strlen (path);
    if (used + 1 < FOLDER_MAX)
      path[used++] = '/';
  }
  size_t length = strlen (folder);
  if (length >= FOLDER_MAX - used)
    return attn_fail (err, ATTN_E_MODEL_NOT_FOUND, "model folder '...%s': the path is too long",
                      path_tail (folder));
  memcpy (path + used, folder, length + 1);
  if (length == 0)
    return attn_fail (err, ATTN_E_MODEL_NOT_FOUND, "the name of the model folder is empty");
  if (stat (path, &info) != 0) {
    wording_system (errno, reason, sizeof reason);
    return attn_fail (err, ATTN_E_MODEL_NOT_FOUND, "model folder '%s': %s", path_tail (folder),
                      reason);
  }
  if (!S_ISDIR (info.st_mode))
    return attn_fail (err, ATTN_E_MODEL_NOT_FOUND,
                      "'%s' is a file, expected the folder that holds config.json",
                      path_tail (folder));
  return ATTN_OK;
}

static attn_status path_create (char **path, const char *folder, const char *name, attn_error *err)
{
  size_t size = strlen (folder) + 1 + strlen (name) + 1;
  *path = attn_alloc (size, 1);
  if (*path == NULL)
    return attn_no_memory (err, "a file name", size, 1);
  snprintf (*path, size, "%s/%s", folder, name);
  return ATTN_OK;
}

static attn_status folder_has (const char *folder, const char *name, int *found, attn_error *err)
{
  char *path = NULL;
  attn_status status = path_create (&path, folder, name, err);
  if (status == ATTN_OK)
    *found = access (path, F_OK) == 0;
  attn_free (path);
  return status;
}

/* open_text -- reads NAME in FOLDER and remembers it in model->stamps, whose last path is then the
 * name of the file for messages. */
static attn_status open_text (attn_gpt2 *model, text_file *file, const char *folder,
                              const char *name, const char **source, attn_error *err)
{
  char *path = NULL;
  *file = (text_file){0};
  attn_status status = attn_grow (&model->stamps, &model->stamp_capacity, model->stamp_count + 1,
                                  sizeof *model->stamps, err);
  if (status == ATTN_OK)
    status = path_create (&path, folder, name, err);
  if (status == ATTN_OK)
    status = text_file_open (file, &model->stamps[model->stamp_count], path, err);
  if (status == ATTN_OK)
    *source = path_tail (model->stamps[model->stamp_count++].path);
  attn_free (path);
  return status;
}

static attn_status read_config (attn_gpt2 *model, const char *folder, attn_error *err)
{
  text_file file;
  const char *source;
  attn_status status = open_text (model, &file, folder, config_name, &source, err);
  if (status == ATTN_OK)
    status = gpt2_config_parse (&model->config, source, file.data, file.bytes, err);
  text_file_close (&file);
  return status;
}

/* find_weights -- fills LIST from the index when the weights are in several files, else leaves it
 * empty. */
static attn_status find_weights (attn_gpt2 *model, const char *folder, shard_list *list,
                                 attn_error *err)
{
  int single = 0, several = 0, pickled = 0;
  text_file file;
  const char *source;
  attn_status status = folder_has (folder, weights_name, &single, err);
  if (status == ATTN_OK)
    status = folder_has (folder, index_name, &several, err);
  if (status == ATTN_OK)
    status = folder_has (folder, "pytorch_model.bin", &pickled, err);
  if (status != ATTN_OK || single)
    return status;
  if (!several)
    return attn_fail (err, ATTN_E_MODEL_NOT_FOUND, "'%s' has neither %s nor %s%s",
                      path_tail (folder), weights_name, index_name,
                      pickled ? "; its pytorch_model.bin is a format that is not read" : "");
  status = open_text (model, &file, folder, index_name, &source, err);
  if (status == ATTN_OK)
    status = shard_list_parse (list, source, file.data, file.bytes, err);
  text_file_close (&file);
  return status;
}

/* open_weights -- maps NAME in FOLDER as the next of the files, ready to be read. */
static attn_status open_weights (attn_gpt2 *model, const char *folder, const char *name,
                                 attn_error *err)
{
  char *path = NULL;
  mapped_file *file = &model->files[model->file_count];
  attn_status status = path_create (&path, folder, name, err);
  if (status == ATTN_OK)
    status = mapped_file_open (file, path, err);
  if (status == ATTN_OK) {
    model->file_count++;
    mapped_file_enter (file);
  }
  attn_free (path);
  return status;
}

/* read_weights -- maps and parses each file of weights and binds their tensors. */
static attn_status read_weights (attn_gpt2 *model, const char *folder, attn_error *err)
{
  shard_list list = {0};
  safetensors *parsed = NULL;
  size_t count = 0;
  attn_status status = find_weights (model, folder, &list, err);
  if (status != ATTN_OK)
    goto done;
  count = size_max (list.count, 1);
  parsed = attn_alloc_zero (count, sizeof *parsed);
  model->files = attn_alloc_zero (count, sizeof *model->files);
  if (parsed == NULL || model->files == NULL) {
    status = attn_no_memory (err, "the list of files", count, sizeof *parsed);
    goto done;
  }
  for (size_t i = 0; i < count && status == ATTN_OK; i++) {
    const mapped_file *file = &model->files[i];
    status = open_weights (model, folder, list.count > 0 ? list.names[i] : weights_name, err);
    if (status == ATTN_OK)
      status = safetensors_parse (&parsed[i], path_tail (file->stamp.path), file->data, file->bytes,
                                  err);
  }
  if (status == ATTN_OK)
    status = weights_bind (model, parsed, count, err);
  model_guard_leave (model);
done:
  for (size_t i = 0; i < count && parsed != NULL; i++)
    safetensors_free (&parsed[i]);
  attn_free (parsed);
  shard_list_free (&list);
  return status;
}

static attn_status read_tokenizer (attn_gpt2 *model, const char *folder, attn_error *err)
{
  text_file vocab = {0}, merges = {0};
  const char *vocab_source, *source;
  attn_error inner;
  attn_status status = open_text (model, &vocab, folder, "vocab.json", &vocab_source, err);
  if (status == ATTN_OK)
    status = open_text (model, &merges, folder, "merges.txt", &source, err);
  if (status != ATTN_OK)
    goto done;
  const struct {
    const char *source;
    const text_file *file;
  } files[] = {{vocab_source, &vocab}, {source, &merges}};
  for (int i = 0; i < 2; i++) {
    const char *wrong = wording_wrong_download (files[i].file->data, files[i].file->bytes);
    if (wrong != NULL) {
      status = attn_fail (err, ATTN_E_MODEL_CORRUPT, "%s: it looks like %s; download it again",
                          files[i].source, wrong);
      goto done;
    }
  }
  status = attn_tokenizer_open (&model->tokenizer, merges.data, merges.bytes, vocab.data,
                                vocab.bytes, &inner);
  if (status != ATTN_OK) {
    status = attn_fail (err, status, "%.300s: %.600s", path_tail (folder), inner.text);
    goto done;
  }
  size_t ids = attn_tokenizer_size (model->tokenizer);
  if (ids > model->config.V)
    status =
        attn_fail (err, ATTN_E_MODEL_CORRUPT,
                   "%s: expected at most %zu entries, the 'vocab_size' of config.json, got %zu",
                   vocab_source, model->config.V, ids);
done:
  text_file_close (&vocab);
  text_file_close (&merges);
  return status;
}

/* first_changed -- the path of a file that is not what was opened; NULL when all are. */
static const char *first_changed (const attn_gpt2 *model)
{
  for (size_t i = 0; i < model->stamp_count; i++)
    if (file_stamp_changed (&model->stamps[i]))
      return model->stamps[i].path;
  for (size_t i = 0; i < model->file_count; i++)
    if (file_stamp_changed (&model->files[i].stamp) ||
        mapped_file_check (&model->files[i], NULL) != ATTN_OK)
      return model->files[i].stamp.path;
  return NULL;
}

attn_status attn_gpt2_open (attn_gpt2 **model, const char *folder, attn_error *err)
{
  char path[FOLDER_MAX];
  *model = NULL;
  attn_status status = absolute_folder (path, folder, err);
  if (status != ATTN_OK)
    return status;
  attn_gpt2 *fresh = attn_alloc_zero (1, sizeof *fresh);
  if (fresh == NULL)
    return attn_no_memory (err, "a model", 1, sizeof *fresh);
  status = read_config (fresh, path, err);
  if (status == ATTN_OK)
    status = read_weights (fresh, path, err);
  if (status == ATTN_OK)
    status = read_tokenizer (fresh, path, err);
  /* Files of two models, or a file in the middle of being written, may fit together by chance. */
  const char *changed = first_changed (fresh);
  if (changed != NULL && (status == ATTN_OK || status == ATTN_E_MODEL_CORRUPT))
    status = attn_fail (err, ATTN_E_MODEL_CORRUPT,
                        "'%s' changed while the model was opened; call again when it is complete",
                        path_tail (changed));
  if (status == ATTN_OK)
    *model = fresh;
  else
    attn_gpt2_close (&fresh);
  return status;
}

void attn_gpt2_close (attn_gpt2 **model)
{
  attn_gpt2 *old = *model;
  if (old == NULL)
    return;
  weights_release (old);
  attn_tokenizer_close (&old->tokenizer);
  for (size_t i = 0; i < old->file_count; i++)
    mapped_file_close (&old->files[i]);
  for (size_t i = 0; i < old->stamp_count; i++)
    file_stamp_free (&old->stamps[i]);
  attn_free (old->files);
  attn_free (old->stamps);
  attn_free (old);
  *model = NULL;
}

const attn_gpt2_config *attn_gpt2_config_get (const attn_gpt2 *model)
{
  return &model->config;
}

const attn_tokenizer *attn_gpt2_tokenizer_get (const attn_gpt2 *model)
{
  return model->tokenizer;
}

int attn_gpt2_changed (const attn_gpt2 *model)
{
  return first_changed (model) != NULL;
}

size_t attn_gpt2_parameters (const attn_gpt2 *model)
{
  size_t parameters = 0;
  gpt2_parameters (&model->config, &parameters);
  return parameters;
}
