/* Model folders: what is bound where, under every naming scheme and type, and noticing changes. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/half.h"
#include "model/layout.h"
#include "model/writer.h"
#include "support/folder.h"
#include "support/model.h"

static const char plain[] = MODELS "plain_f32";

/* ---- the fixtures ---- */

/* Where tensors lie in the data of plain_f32, read off its header by hand. */
static void test_plain_slots (void **state)
{
  (void)state;
  attn_gpt2 *model = model_open (plain);
  const gpt2_weights *w = &model->weights;
  const gpt2_block *b0 = &w->blocks[0], *b1 = &w->blocks[1];
  const struct {
    const float *slot;
    size_t begin, end;
  } rows[] = {
      {w->wte, 44672, 75104},
      {w->wpe, 84512, 87584},
      {w->ln_f_weight, 97088, 97184},
      {w->ln_f_bias, 99584, 99680},
      {w->lm_head, 44672, 75104},
      {b0->ln_1_weight, 44576, 44672},
      {b0->ln_1_bias, 30880, 30976},
      {b0->attn_c_attn_weight, 87584, 94496},
      {b0->attn_c_attn_bias, 672, 960},
      {b0->attn_c_proj_weight, 97280, 99584},
      {b0->attn_c_proj_bias, 0, 96},
      {b0->ln_2_weight, 96, 192},
      {b0->ln_2_bias, 94496, 94592},
      {b0->mlp_c_fc_weight, 75296, 84512},
      {b0->mlp_c_fc_bias, 192, 576},
      {b0->mlp_c_proj_weight, 14272, 23488},
      {b0->mlp_c_proj_bias, 97184, 97280},
      {b1->ln_1_weight, 75104, 75200},
      {b1->attn_c_attn_weight, 23872, 30784},
      {b1->attn_c_proj_bias, 576, 672},
      {b1->mlp_c_fc_weight, 31264, 40480},
      {b1->mlp_c_proj_weight, 960, 10176},
  };
  size_t bytes;
  char *file = folder_read (plain, "model.safetensors", &bytes);
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    assert_memory_equal (rows[i].slot, file + 8 + 2384 + rows[i].begin,
                         rows[i].end - rows[i].begin);
  free (file);
  assert_int_equal (model->converted_count, 0); /* nothing was copied */
  attn_gpt2_close (&model);
  assert_null (model);
  attn_gpt2_close (&model);
}

static void test_fixtures (void **state)
{
  (void)state;
  static const struct {
    const char *folder;
    size_t L, H, C, parameters;
  } rows[] = {
      {MODELS "plain_f32", 2, 3, 24, 22872},
      {MODELS "prefixed_bf16", 3, 2, 16, 15456},
      {MODELS "sharded_f16", 2, 4, 32, 36640},
  };
  for (size_t i = 0; i < 3; i++) {
    attn_gpt2 *model = model_open (rows[i].folder);
    const attn_gpt2_config *c = attn_gpt2_config_get (model);
    assert_true (c->L == rows[i].L && c->H == rows[i].H && c->C == rows[i].C);
    assert_true (c->F == 4 * c->C && c->V == 317 && c->T_max == 32 && c->tied_head == 1);
    assert_int_equal (attn_gpt2_parameters (model), rows[i].parameters);
    assert_int_equal (attn_tokenizer_size (attn_gpt2_tokenizer_get (model)), 317);
    assert_ptr_equal (model->weights.lm_head, model->weights.wte);
    attn_gpt2_close (&model);
  }
}

/* 16-bit fixtures: the bound numbers, converted back, are those of the file. */
static void test_converted (void **state)
{
  (void)state;
  static const struct {
    const char *folder, *file;
    size_t header, begin; /* of the second block's mlp.c_fc.weight */
    int bf16;
  } rows[] = {
      {MODELS "prefixed_bf16", "model.safetensors", 3784, 24384, 1},
      {MODELS "sharded_f16", "model-00002-of-00002.safetensors", 1104, 29184, 0},
  };
  for (size_t i = 0; i < 2; i++) {
    attn_gpt2 *model = model_open (rows[i].folder);
    size_t bytes, n = model->config.C * model->config.F;
    char *file = folder_read (rows[i].folder, rows[i].file, &bytes);
    for (size_t k = 0; k < n; k++) {
      uint16_t half;
      memcpy (&half, file + 8 + rows[i].header + rows[i].begin + 2 * k, sizeof half);
      float value = model->weights.blocks[1].mlp_c_fc_weight[k];
      uint32_t bits;
      memcpy (&bits, &value, sizeof bits);
      assert_int_equal (half, rows[i].bf16 ? bits >> 16 : f16_from_float (value));
      assert_int_equal (bits & (rows[i].bf16 ? 0xffff : 0x1fff), 0);
    }
    free (file);
    attn_gpt2_close (&model);
  }
}

/* ---- the same weights under other names and types ---- */

enum { PREFIXED = 1, HEAD = 2, BUFFERS = 4, UNALIGNED = 8, DOUBLE = 16, UNTIED = 32, SHARED = 64 };

typedef struct {
  char *header, *data;
  size_t header_bytes, data_bytes;
} file_parts;

static void add_tensor (file_parts *f, const char *name, const gpt2_tensor *t, const float *numbers,
                        int flags)
{
  size_t count = t->shape[0] * t->shape[1];
  size_t begin = f->data_bytes;
  for (size_t i = 0; i < count; i++) {
    double wide = (double)numbers[i];
    memcpy (f->data + f->data_bytes, flags & DOUBLE ? (const void *)&wide : &numbers[i],
            flags & DOUBLE ? sizeof wide : sizeof numbers[i]);
    f->data_bytes += flags & DOUBLE ? sizeof wide : sizeof numbers[i];
  }
  f->header_bytes += (size_t)sprintf (
      f->header + f->header_bytes, "%s\"%s%s\":{\"dtype\":\"%s\",\"shape\":[%zu",
      f->header_bytes > 1 ? "," : "", flags & PREFIXED && t->name[0] != 'l' ? "transformer." : "",
      name, flags & DOUBLE ? "F64" : "F32", t->shape[0]);
  if (t->dims == 2)
    f->header_bytes += (size_t)sprintf (f->header + f->header_bytes, ",%zu", t->shape[1]);
  f->header_bytes += (size_t)sprintf (f->header + f->header_bytes, "],\"data_offsets\":[%zu,%zu]}",
                                      begin, f->data_bytes);
}

/* write_variant -- writes the weights of MODEL to FOLDER's model.safetensors, by hand. */
static void write_variant (const attn_gpt2 *model, const char *folder, int flags)
{
  enum { ROOM = 1 << 20 };
  file_parts f = {.header = malloc (ROOM), .data = malloc (ROOM)};
  assert_true (f.header != NULL && f.data != NULL);
  f.header[f.header_bytes++] = '{';
  for (size_t i = 0; i < gpt2_tensor_count (&model->config); i++) {
    gpt2_tensor t = gpt2_tensor_at (&model->config, i);
    add_tensor (&f, t.name, &t, model_tensor (model, i), flags);
  }
  gpt2_tensor t = gpt2_tensor_at (&model->config, 0);
  if (flags & HEAD) {
    snprintf (t.name, sizeof t.name, "lm_head.weight"); /* never with a prefix */
    add_tensor (&f, t.name, &t, model->weights.wte, flags);
  }
  if (flags & SHARED) /* lm_head on the bytes of wte, which come first */
    f.header_bytes += (size_t)sprintf (f.header + f.header_bytes,
                                       ",\"lm_head.weight\":{\"dtype\":\"F32\",\"shape\":[%zu,%zu],"
                                       "\"data_offsets\":[0,%zu]}",
                                       t.shape[0], t.shape[1], t.shape[0] * t.shape[1] * 4);
  if (flags & BUFFERS) {
    gpt2_tensor buffer = {"h.0.attn.bias", 2, {32, 32}};
    add_tensor (&f, buffer.name, &buffer, model->weights.wte, flags);
    gpt2_tensor masked = {"h.0.attn.masked_bias", 1, {1, 1}};
    add_tensor (&f, masked.name, &masked, model->weights.wte, flags);
  }
  f.header[f.header_bytes++] = '}';
  while (f.header_bytes % 8 != (flags & UNALIGNED ? 1 : 0))
    f.header[f.header_bytes++] = ' ';
  char *file = malloc (8 + f.header_bytes + f.data_bytes);
  assert_non_null (file);
  for (int i = 0; i < 8; i++)
    file[i] = (char)(f.header_bytes >> 8 * i);
  memcpy (file + 8, f.header, f.header_bytes);
  memcpy (file + 8 + f.header_bytes, f.data, f.data_bytes);
  folder_write (folder, "model.safetensors", file, 8 + f.header_bytes + f.data_bytes);
  free (file);
  free (f.header);
  free (f.data);
}

static void test_variants (void **state)
{
  (void)state;
  static const int variants[] = {0,
                                 PREFIXED,
                                 HEAD,
                                 PREFIXED | HEAD,
                                 BUFFERS,
                                 UNALIGNED,
                                 UNALIGNED | HEAD,
                                 DOUBLE,
                                 PREFIXED | DOUBLE | UNALIGNED | HEAD | BUFFERS,
                                 SHARED,
                                 HEAD | UNTIED,
                                 SHARED | UNTIED};
  char folder[FOLDER_PATH];
  folder_create (folder);
  folder_copy (plain, folder);
  attn_gpt2 *original = model_open (plain);
  for (size_t i = 0; i < sizeof variants / sizeof variants[0]; i++) {
    write_variant (original, folder, variants[i]);
    if (variants[i] & UNTIED) {
      attn_gpt2_config config = original->config;
      char path[FOLDER_PATH];
      config.tied_head = 0;
      file_path (path, folder, "config.json");
      assert_int_equal (gpt2_config_write (path, &config, -1, NULL), ATTN_OK);
    }
    attn_gpt2 *model = model_open (folder);
    model_assert_same (original, model);
    assert_memory_equal (model->weights.lm_head, original->weights.wte, 317 * 24 * sizeof (float));
    if (!(variants[i] & UNTIED))
      assert_ptr_equal (model->weights.lm_head, model->weights.wte);
    assert_int_equal (model->config.tied_head, !(variants[i] & UNTIED));
    assert_int_equal (attn_gpt2_parameters (model), 22872 + (variants[i] & UNTIED ? 317 * 24 : 0));
    if (variants[i] & (DOUBLE | UNALIGNED))
      assert_true (model->converted_count >= 28);
    attn_gpt2_close (&model);
  }
  /* Not tied, and no head there. */
  write_variant (original, folder, 0);
  model_expect_error (folder, ATTN_E_MODEL_CORRUPT,
                      "tensor 'lm_head.weight', expected with shape [317 24], is missing");
  attn_gpt2_close (&original);
  folder_remove (folder);
}

/* ---- changes ---- */

static void test_changed (void **state)
{
  (void)state;
  static const char *const files[] = {"config.json",
                                      "vocab.json",
                                      "merges.txt",
                                      "model.safetensors.index.json",
                                      "model-00001-of-00002.safetensors",
                                      "model-00002-of-00002.safetensors"};
  char folder[FOLDER_PATH], path[FOLDER_PATH], moved[FOLDER_PATH];
  folder_create (folder);
  folder_copy (MODELS "sharded_f16", folder);
  file_path (moved, folder, "moved");
  for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
    for (int how = 0; how < 4; how++) {
      size_t bytes;
      char *data = folder_read (folder, files[i], &bytes);
      file_path (path, folder, files[i]);
      attn_gpt2 *model = model_open (folder);
      assert_int_equal (attn_gpt2_changed (model), 0);
      const struct timespec times[2] = {{1000, 0}, {1000, 500 + how}};
      if (how == 0) /* touched: only the nanoseconds need differ */
        assert_int_equal (utimensat (AT_FDCWD, path, times, 0), 0);
      if (how == 1 || how == 2)
        assert_int_equal (rename (path, moved), 0);
      if (how == 2) { /* replaced by an equal file of the same age */
        struct stat info;
        assert_int_equal (stat (moved, &info), 0);
        folder_write (folder, files[i], data, bytes);
        const struct timespec same[2] = {info.st_atim, info.st_mtim};
        assert_int_equal (utimensat (AT_FDCWD, path, same, 0), 0);
      }
      if (how == 3) {
        FILE *file = fopen (path, "ab");
        assert_non_null (file);
        fputc ('\n', file);
        fclose (file);
      }
      assert_int_not_equal (attn_gpt2_changed (model), 0);
      attn_gpt2_close (&model);
      if (how > 0)
        folder_write (folder, files[i], data, bytes);
      unlink (moved);
      free (data);
    }
  folder_remove (folder);
}

/* A relative name stays valid when the current folder changes. */
static void test_other_current_folder (void **state)
{
  (void)state;
  char here[4096];
  assert_non_null (getcwd (here, sizeof here));
  attn_gpt2 *model = model_open (plain);
  assert_int_equal (chdir ("/"), 0);
  int changed = attn_gpt2_changed (model);
  assert_int_equal (chdir (here), 0);
  assert_int_equal (changed, 0);
  attn_gpt2_close (&model);
}

int main (void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test (test_plain_slots), cmocka_unit_test (test_fixtures),
      cmocka_unit_test (test_converted),   cmocka_unit_test (test_variants),
      cmocka_unit_test (test_changed),     cmocka_unit_test (test_other_current_folder),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
