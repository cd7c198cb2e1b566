/* Writes a GPT-2 with random weights in the Hugging Face layout, for tests and benches.
 *
 *   random_gpt2 FOLDER MERGES GEOMETRY [f32|f16] [SEED]
 *
 * FOLDER    is made if it is not there; its files are replaced
 * MERGES    a merges.txt in GPT-2's format, of which the first vocab - 257 merges are used; - =
 * none GEOMETRY  gpt2, gpt2-medium, gpt2-large, gpt2-xl, distilgpt2, or
 * layers,heads,width,vocab,positions
 *
 * Weights are drawn as a fresh GPT-2's: mean 0, deviation 0.02 (0.02/sqrt(2*L) where a block writes
 * to the residual stream; Radford et al. 2019), here from a sum of four uniform numbers; biases
 * likewise with 0.02, layer norm weights 1 + 0.02*x, so that no tensor is trivial. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "attn/tokenizer.h"
#include "model/config.h"
#include "model/layout.h"
#include "model/writer.h"
#include "text/byte_alphabet.h"

enum { BYTES = 256, PIECE = 1 << 16, PATH_BYTES = 4096 };

static const struct {
  const char *name;
  size_t L, H, C, V, T_max;
} geometries[] = {
    {"distilgpt2", 6, 12, 768, 50257, 1024},    {"gpt2", 12, 12, 768, 50257, 1024},
    {"gpt2-medium", 24, 16, 1024, 50257, 1024}, {"gpt2-large", 36, 20, 1280, 50257, 1024},
    {"gpt2-xl", 48, 25, 1600, 50257, 1024},
};

static int read_geometry (const char *text, attn_gpt2_config *config)
{
  char behind;
  *config = (attn_gpt2_config){.norm_epsilon = 1e-5f, .scale_by_head_size = 1, .tied_head = 1};
  for (size_t i = 0; i < sizeof geometries / sizeof geometries[0]; i++)
    if (strcmp (geometries[i].name, text) == 0) {
      config->L = geometries[i].L;
      config->H = geometries[i].H;
      config->C = geometries[i].C;
      config->V = geometries[i].V;
      config->T_max = geometries[i].T_max;
      config->F = 4 * config->C;
      return 1;
    }
  int read = sscanf (text, "%zu,%zu,%zu,%zu,%zu%c", &config->L, &config->H, &config->C, &config->V,
                     &config->T_max, &behind);
  config->F = 4 * config->C;
  return read == 5;
}

/* xorshift64* (Vigna 2016) */
static uint64_t next_random (uint64_t *state)
{
  *state ^= *state >> 12;
  *state ^= *state << 25;
  *state ^= *state >> 27;
  return *state * 0x2545f4914f6cdd1dULL;
}

/* normal_like -- mean 0, deviation 1: four uniform 16-bit numbers, each of variance 2^32/12. */
static float normal_like (uint64_t *state)
{
  uint64_t x = next_random (state);
  uint32_t sum = (uint32_t)(x & 0xffff) + (uint32_t)(x >> 16 & 0xffff) +
                 (uint32_t)(x >> 32 & 0xffff) + (uint32_t)(x >> 48);
  return ((float)sum - 131070.0f) * (1.7320508f / 65536.0f);
}

static int ends_with (const char *name, const char *end)
{
  size_t n = strlen (name), m = strlen (end);
  return n >= m && strcmp (name + n - m, end) == 0;
}

static attn_status write_weights (const char *folder, const attn_gpt2_config *config,
                                  attn_store store, uint64_t seed, attn_error *err)
{
  static float piece[PIECE];
  char path[PATH_BYTES];
  safetensors_writer writer;
  snprintf (path, sizeof path, "%s/model.safetensors", folder);
  attn_status status = safetensors_writer_begin (&writer, path, store, err);
  if (status == ATTN_OK)
    status = gpt2_declare (&writer, config, err);
  for (size_t i = 0; i < gpt2_tensor_count (config) && status == ATTN_OK; i++) {
    gpt2_tensor tensor = gpt2_tensor_at (config, i);
    int norm = strstr (tensor.name, "ln_") != NULL && ends_with (tensor.name, ".weight");
    float mean = norm ? 1.0f : 0.0f, deviation = 0.02f;
    if (ends_with (tensor.name, "c_proj.weight"))
      deviation /= sqrtf (2 * (float)config->L);
    size_t left = tensor.shape[0] * tensor.shape[1];
    while (left > 0 && status == ATTN_OK) {
      size_t n = left < PIECE ? left : PIECE;
      for (size_t k = 0; k < n; k++)
        piece[k] = mean + deviation * normal_like (&seed);
      status = safetensors_writer_write (&writer, piece, n, err);
      left -= n;
    }
  }
  if (status == ATTN_OK)
    status = safetensors_writer_commit (&writer, err);
  safetensors_writer_close (&writer);
  return status;
}

/* read_merges -- the header line and the first COUNT merges of a file, NUL-terminated; NULL when
 * there are fewer.  *bytes is the length. */
static char *read_merges (const char *path, size_t count, size_t *bytes)
{
  static const char header[] = "#version: 0.2\n";
  char line[4096];
  FILE *in = NULL, *out = NULL;
  char *text = NULL;
  out = open_memstream (&text, bytes);
  if (out == NULL)
    return NULL;
  fputs (header, out);
  if (count > 0)
    in = fopen (path, "r");
  while (in != NULL && count > 0 && fgets (line, sizeof line, in) != NULL)
    if (strncmp (line, "#version", 8) != 0) {
      fputs (line, out);
      count--;
    }
  if (in != NULL)
    fclose (in);
  fclose (out);
  if (count == 0)
    return text;
  free (text);
  return NULL;
}

/* write_vocab -- vocab.json of a tokenizer: each token in GPT-2's alphabet for bytes. */
static int write_vocab (const char *path, const attn_tokenizer *tokenizer)
{
  FILE *out = fopen (path, "w");
  if (out == NULL)
    return 0;
  size_t V = attn_tokenizer_size (tokenizer);
  for (size_t id = 0; id < V; id++) {
    const char *token;
    size_t bytes = 0;
    attn_tokenizer_view (tokenizer, (int32_t)id, &token, &bytes, NULL);
    fputs (id == 0 ? "{\"" : ", \"", out);
    for (size_t i = 0; i < bytes; i++) {
      char symbol[BYTE_SYMBOL_MAX];
      size_t n = byte_symbol ((unsigned char)token[i], symbol);
      if (symbol[0] == '"' || symbol[0] == '\\')
        fputc ('\\', out);
      fwrite (symbol, 1, n, out);
    }
    fprintf (out, "\": %zu", id);
  }
  fputs ("}\n", out);
  int failed = ferror (out);
  return fclose (out) == 0 && !failed;
}

static int write_tokenizer (const char *folder, const char *merges_path, size_t V,
                            int32_t *end_of_text)
{
  char path[PATH_BYTES];
  size_t bytes = 0;
  attn_error err;
  attn_tokenizer *tokenizer = NULL;
  char *merges = read_merges (merges_path, V - BYTES - 1, &bytes);
  if (merges == NULL) {
    fprintf (stderr, "random_gpt2: '%s': expected %zu merges\n", merges_path, V - BYTES - 1);
    return 0;
  }
  int done = attn_tokenizer_open (&tokenizer, merges, bytes, NULL, 0, &err) == ATTN_OK;
  if (done) {
    *end_of_text = attn_tokenizer_end_of_text (tokenizer);
    snprintf (path, sizeof path, "%s/vocab.json", folder);
    done = write_vocab (path, tokenizer);
    snprintf (path, sizeof path, "%s/merges.txt", folder);
    FILE *out = fopen (path, "w");
    done = done && out != NULL && fwrite (merges, 1, bytes, out) == bytes;
    if (out != NULL)
      done = fclose (out) == 0 && done;
    if (!done)
      perror (path);
  } else {
    fprintf (stderr, "random_gpt2: %s\n", err.text);
  }
  attn_tokenizer_close (&tokenizer);
  free (merges);
  return done;
}

int main (int argc, char **argv)
{
  attn_gpt2_config config;
  attn_error err;
  char path[PATH_BYTES];
  int32_t end_of_text = -1;
  if (argc < 4 || argc > 6 || !read_geometry (argv[3], &config)) {
    fprintf (stderr, "usage: random_gpt2 FOLDER MERGES|- NAME|layers,heads,width,vocab,positions "
                     "[f32|f16] [SEED]\n");
    return 2;
  }
  attn_store store = argc > 4 && strcmp (argv[4], "f16") == 0 ? ATTN_STORE_F16 : ATTN_STORE_F32;
  uint64_t seed = argc > 5 ? strtoull (argv[5], NULL, 10) : 1;
  attn_status status = gpt2_config_check (&config, argv[3], ATTN_E_RANGE, &err);
  if (status == ATTN_OK && config.V < BYTES + 1)
    status =
        attn_fail (&err, ATTN_E_RANGE, "vocab: expected at least %d, got %zu", BYTES + 1, config.V);
  if (status == ATTN_OK && mkdir (argv[1], 0777) != 0 && errno != EEXIST)
    status = attn_fail (&err, ATTN_E_WRITE, "cannot make '%s': %s", argv[1], strerror (errno));
  if (status == ATTN_OK && !write_tokenizer (argv[1], argv[2], config.V, &end_of_text))
    return 1;
  if (status == ATTN_OK) {
    snprintf (path, sizeof path, "%s/config.json", argv[1]);
    status = gpt2_config_write (path, &config, end_of_text, &err);
  }
  if (status == ATTN_OK)
    status = write_weights (argv[1], &config, store, 0x9e3779b97f4a7c15ULL ^ (seed << 1 | 1), &err);
  if (status != ATTN_OK)
    fprintf (stderr, "random_gpt2: %s\n", err.text);
  return status != ATTN_OK;
}
