/* Trained models and checkpoints on the disk. */
#include <string.h>

#include "base/alloc.h"
#include "base/size.h"
#include "model/atomic_file.h"
#include "model/layout.h"
#include "model/mapped_file.h"
#include "model/writer.h"
#include "train/trainer.h"

#ifndef ATTN_TRAIN_F64

attn_status attn_trainer_save_model (const attn_trainer *trainer, const char *folder,
                                     int32_t end_of_text, attn_store store, attn_error *err)
{
  const attn_gpt2_config *config = &trainer->config;
  gpt2_weights weights = {.blocks = attn_alloc_zero (config->L, sizeof *weights.blocks)};
  if (weights.blocks == NULL)
    return attn_no_memory (err, "the list of blocks", config->L, sizeof *weights.blocks);
  for (size_t i = 0; i < trainer->map.count; i++)
    *gpt2_tensor_slot (&weights, config, i) = trainer->weights + trainer->map.list[i].offset;
  weights.lm_head = weights.wte;
  attn_status status = gpt2_model_write (folder, config, &weights, end_of_text, store, err);
  attn_free (weights.blocks);
  return status;
}

#endif

/* A checkpoint is, in the byte order of the machine: the header, the note, the weights, both
 * moments, and the checksum of all before it. */
typedef struct {
  char magic[8];
  uint64_t byte_order; /* tells a file of a machine with the other order */
  uint64_t L, H, C, F, V, T_max;
  uint64_t activation, scale_by_head_size, scale_by_layer;
  double norm_epsilon;
  uint64_t steps, elements, element_bytes, note_bytes;
  uint64_t random[4];
} checkpoint_header;

static const char checkpoint_magic[8] = {'a', 't', 't', 'n', 'c', 'k', 'p', '1'};
enum { BYTE_ORDER_MARK = 0x01020304 };

/* checksum_add -- FNV-1a over 8-byte words, the last one filled up with zeros: notices cut and
 * damaged files, not malice. */
static uint64_t checksum_add (uint64_t sum, const void *data, size_t bytes)
{
  const unsigned char *p = data;
  for (size_t at = 0; at < bytes; at += sizeof sum) {
    uint64_t word = 0;
    memcpy (&word, p + at, size_min (sizeof word, bytes - at));
    sum = (sum ^ word) * 0x100000001b3u;
  }
  return sum;
}

static checkpoint_header header_of (const attn_trainer *t, const attn_random *random,
                                    size_t note_bytes)
{
  const attn_gpt2_config *config = &t->config;
  checkpoint_header h = {.byte_order = BYTE_ORDER_MARK,
                         .L = config->L,
                         .H = config->H,
                         .C = config->C,
                         .F = config->F,
                         .V = config->V,
                         .T_max = config->T_max,
                         .activation = (uint64_t)config->activation,
                         .scale_by_head_size = config->scale_by_head_size != 0,
                         .scale_by_layer = config->scale_by_layer != 0,
                         .norm_epsilon = (double)config->norm_epsilon,
                         .steps = t->steps,
                         .elements = t->map.elements,
                         .element_bytes = sizeof (real),
                         .note_bytes = note_bytes};
  memcpy (h.magic, checkpoint_magic, sizeof h.magic);
  memcpy (h.random, random->s, sizeof h.random);
  return h;
}

attn_status attn_trainer_checkpoint (const attn_trainer *trainer, const attn_random *random,
                                     const void *note, size_t note_bytes, const char *file,
                                     attn_error *err)
{
  checkpoint_header header = header_of (trainer, random, note_bytes);
  size_t block = trainer->map.elements * sizeof (real);
  const struct {
    const void *data;
    size_t bytes;
  } parts[] = {{&header, sizeof header},
               {note, note_bytes},
               {trainer->weights, block},
               {trainer->moment1, block},
               {trainer->moment2, block}};
  uint64_t sum = 0;
  atomic_file out = ATOMIC_FILE_CLOSED;
  attn_status status = atomic_file_open (&out, file, err);
  for (size_t i = 0; i < sizeof parts / sizeof *parts && status == ATTN_OK; i++) {
    status = atomic_file_write (&out, parts[i].data, parts[i].bytes, err);
    sum = checksum_add (sum, parts[i].data, parts[i].bytes);
  }
  if (status == ATTN_OK)
    status = atomic_file_write (&out, &sum, sizeof sum, err);
  if (status == ATTN_OK)
    status = atomic_file_commit (&out, err);
  atomic_file_close (&out);
  return status;
}

static attn_status corrupt (attn_error *err, const char *file, const char *why)
{
  return attn_fail (err, ATTN_E_MODEL_CORRUPT, "'%s' is not a checkpoint that can be resumed: %s",
                    file, why);
}

/* read_header -- checks what can be known before memory is asked for. */
static attn_status read_header (const mapped_file *in, const char *file, checkpoint_header *h,
                                attn_error *err)
{
  if (in->bytes < sizeof *h + sizeof (uint64_t))
    return corrupt (err, file, "it is too short");
  memcpy (h, in->data, sizeof *h);
  if (memcmp (h->magic, checkpoint_magic, sizeof h->magic) != 0)
    return corrupt (err, file, "it does not begin as one");
  if (h->byte_order != BYTE_ORDER_MARK || h->element_bytes != sizeof (real))
    return corrupt (err, file, "it comes from another kind of machine");
  size_t total, body;
  if (!size_mul (h->elements, 3 * sizeof (real), &body) ||
      !size_add (body, h->note_bytes, &total) ||
      !size_add (total, sizeof *h + sizeof (uint64_t), &total) || total != in->bytes)
    return corrupt (err, file, "it was cut");
  if (h->activation > ATTN_RELU)
    return corrupt (err, file, "its activation function is unknown");
  return ATTN_OK;
}

static uint64_t checksum_of_file (const mapped_file *in, const checkpoint_header *h)
{
  size_t block = h->elements * sizeof (real);
  const unsigned char *at = in->data;
  const size_t parts[] = {sizeof *h, h->note_bytes, block, block, block};
  uint64_t sum = 0;
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    sum = checksum_add (sum, at, parts[i]);
    at += parts[i];
  }
  return sum;
}

static attn_status resume_from (const mapped_file *in, const char *file, const checkpoint_header *h,
                                attn_trainer **trainer, void **note, attn_error *err)
{
  attn_gpt2_config config = {.L = h->L,
                             .H = h->H,
                             .C = h->C,
                             .F = h->F,
                             .V = h->V,
                             .T_max = h->T_max,
                             .norm_epsilon = (float)h->norm_epsilon,
                             .activation = (attn_activation)h->activation,
                             .scale_by_head_size = h->scale_by_head_size != 0,
                             .scale_by_layer = h->scale_by_layer != 0,
                             .tied_head = 1};
  size_t elements;
  if (!gpt2_parameters (&config, &elements) || elements != h->elements)
    return corrupt (err, file, "its size does not fit its model");
  attn_status status = trainer_create (trainer, &config, err);
  if (status == ATTN_E_RANGE)
    return corrupt (err, file, "its model is impossible");
  if (status != ATTN_OK)
    return status;
  attn_trainer *t = *trainer;
  *note = attn_alloc (h->note_bytes, 1);
  if (*note == NULL)
    return attn_no_memory (err, "the note of a checkpoint", h->note_bytes, 1);
  const unsigned char *at = in->data + sizeof *h;
  size_t block = h->elements * sizeof (real);
  memcpy (*note, at, h->note_bytes);
  at += h->note_bytes;
  memcpy (t->weights, at, block);
  memcpy (t->moment1, at + block, block);
  memcpy (t->moment2, at + 2 * block, block);
  t->steps = h->steps;
  return ATTN_OK;
}

attn_status attn_trainer_resume (attn_trainer **trainer, attn_random *random, void **note,
                                 size_t *note_bytes, const char *file, attn_error *err)
{
  mapped_file in = {0};
  checkpoint_header header;
  *trainer = NULL;
  *note = NULL;
  attn_status status = mapped_file_open (&in, file, err);
  if (status != ATTN_OK)
    return status;
  mapped_file_enter (&in);
  status = read_header (&in, file, &header, err);
  if (status == ATTN_OK) {
    uint64_t kept;
    memcpy (&kept, in.data + in.bytes - sizeof kept, sizeof kept);
    if (kept != checksum_of_file (&in, &header))
      status = corrupt (err, file, "its checksum is wrong");
  }
  if (status == ATTN_OK)
    status = resume_from (&in, file, &header, trainer, note, err);
  if (status == ATTN_OK || status == ATTN_E_MODEL_CORRUPT) {
    attn_status read = mapped_file_check (&in, err);
    status = read != ATTN_OK ? read : status;
  }
  mapped_file_leave (&in);
  if (status == ATTN_OK) {
    *note_bytes = header.note_bytes;
    memcpy (random->s, header.random, sizeof random->s);
  } else {
    attn_trainer_free (trainer);
    attn_note_free (note);
  }
  mapped_file_close (&in);
  return status;
}

void attn_note_free (void **note)
{
  attn_free (*note);
  *note = NULL;
}
