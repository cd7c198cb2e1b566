/* The forward pass: the three fixture models, a plain pass in double precision, and the properties
 * that hold bit for bit. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/json.h"
#include "support/isas.h"
#include "support/pass.h"
#include "support/small_gpt2.h"
#include "support/text_file.h"

/* Sums of up to 100 float products with weights of order 1 lose a few times 100*eps/2 = 6e-6 at
 * worst and about the root of that in practice; the layers add up. */
static const double tolerance = 1e-5;

/* ---- fixture models ---- */

static double *read_numbers (json_value result, const char *key, size_t *n)
{
  json_value list;
  assert_int_equal (json_require (result, key, &list, NULL), ATTN_OK);
  *n = json_count (list);
  double *numbers = malloc ((*n > 0 ? *n : 1) * sizeof *numbers);
  size_t i = 0;
  for (json_value v = json_first (list); json_kind_of (v) != JSON_ABSENT; v = json_next (v), i++)
    assert_int_equal (json_read_number (v, &numbers[i], NULL), ATTN_OK);
  return numbers;
}

/* check_attention -- expected is [layer, head, query, key] row-major, ours column-major. */
static void check_attention (const full_pass *pass, const double *expected, size_t n)
{
  assert_int_equal (n, pass->attention_size);
  size_t T = pass->T;
  double *transposed = malloc (n * sizeof *transposed);
  for (size_t i = 0; i < n; i++) {
    size_t page = i / (T * T), query = i / T % T, key = i % T;
    transposed[page * T * T + query + key * T] = expected[i];
  }
  assert_close (pass->attention, transposed, n, tolerance);
  free (transposed);
}

/* check_likelihood -- mean of -log softmax (logits)[next id]. */
static void check_likelihood (const full_pass *pass, const int32_t *ids, size_t V,
                              json_value result)
{
  json_value value = json_find (result, "mean_negative_log_likelihood");
  double expected, total = 0;
  if (json_kind_of (value) == JSON_NULL)
    return;
  assert_int_equal (json_read_number (value, &expected, NULL), ATTN_OK);
  for (size_t t = 0; t + 1 < pass->T; t++) {
    const float *row = pass->logits + t * V;
    double sum = 0;
    for (size_t v = 0; v < V; v++)
      sum += exp ((double)row[v]);
    total += log (sum) - (double)row[ids[t + 1]];
  }
  assert_true (fabs (total / (double)(pass->T - 1) - expected) <= tolerance * expected);
}

static void check_result (const attn_gpt2 *model, json_value result)
{
  size_t T, n_attention, n_hidden, n_logits;
  double *numbers = read_numbers (result, "ids", &T);
  double *attention = read_numbers (result, "attention_row_major", &n_attention);
  double *hidden = read_numbers (result, "hidden_row_major", &n_hidden);
  double *logits = read_numbers (result, "logits_row_major", &n_logits);
  int32_t *ids = malloc (T * sizeof *ids);
  for (size_t t = 0; t < T; t++)
    ids[t] = (int32_t)numbers[t];

  full_pass pass = full_pass_run (model, ids, T, 0, NULL, NULL, NULL);
  check_attention (&pass, attention, n_attention);
  /* [layer, token, channel] row-major is C-by-T-by-(L+1) column-major; logits likewise. */
  assert_int_equal (n_hidden, pass.hidden_size);
  assert_close (pass.hidden, hidden, n_hidden, tolerance);
  assert_int_equal (n_logits, pass.logits_size);
  assert_close (pass.logits, logits, n_logits, tolerance);
  check_likelihood (&pass, ids, attn_gpt2_config_get (model)->V, result);

  full_pass_free (&pass);
  free (numbers);
  free (attention);
  free (hidden);
  free (logits);
  free (ids);
}

static void check_fixture (void *context)
{
  char path[256];
  size_t bytes, results = 0;
  attn_gpt2 *model = NULL;
  snprintf (path, sizeof path, "tests/fixtures/gpt2_models/%s", (const char *)context);
  assert_int_equal (attn_gpt2_open (&model, path, NULL), ATTN_OK);
  snprintf (path, sizeof path, "tests/fixtures/gpt2_models/%s/expected.json",
            (const char *)context);
  char *text = text_file_read (path, &bytes);
  json_document *document = NULL;
  assert_int_equal (json_parse (&document, path, text, bytes, NULL), ATTN_OK);
  json_value list = json_find (json_root (document), "results");
  for (json_value r = json_first (list); json_kind_of (r) != JSON_ABSENT; r = json_next (r)) {
    check_result (model, r);
    results++;
  }
  assert_true (results >= 2);
  json_free (&document);
  free (text);
  attn_gpt2_close (&model);
}

static void fixture_models (void **state)
{
  (void)state;
  static char names[][16] = {"plain_f32", "prefixed_bf16", "sharded_f16"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    each_isa (check_fixture, names[i]);
}

/* ---- against the plain pass ---- */

enum { T_LONG = 60 }; /* long enough for OpenBLAS */

static void check_plain (void *context)
{
  attn_gpt2 *model = context;
  const attn_gpt2_config *c = attn_gpt2_config_get (model);
  static const size_t lengths[] = {1, 2, 5, 13, T_LONG};
  for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
    size_t T = lengths[i];
    int32_t ids[T_LONG];
    small_gpt2_ids (model, ids, T, (unsigned)T);
    full_pass pass = full_pass_run (model, ids, T, 0, NULL, NULL, NULL);
    plain_pass plain = plain_forward (model, ids, T, NULL);
    assert_close (pass.attention, plain.attention, pass.attention_size, tolerance);
    for (size_t l = 0; l <= c->L; l++)
      assert_close (pass.hidden + l * c->C * T, plain.hidden + l * c->C * T, c->C * T, tolerance);
    assert_close (pass.logits, plain.logits, pass.logits_size, tolerance);
    plain_pass_free (&plain);
    full_pass_free (&pass);
  }
}

static void settings (void **state)
{
  (void)state;
  for (int i = 0; i < 6; i++) {
    attn_gpt2_config config = small_gpt2_config ();
    config.activation = (attn_activation)(i % 3);
    config.scale_by_head_size = i != 3;
    config.scale_by_layer = i == 4;
    config.tied_head = i != 5;
    config.norm_epsilon = i == 1 ? 1e-2f : 1e-5f;
    attn_gpt2 *model = small_gpt2_create (config, (unsigned)i + 1);
    each_isa (check_plain, model);
    small_gpt2_free (model);
  }
}

static void check_ablation (void *context)
{
  attn_gpt2 *model = context;
  const attn_gpt2_config *c = attn_gpt2_config_get (model);
  int32_t ids[9];
  small_gpt2_ids (model, ids, 9, 4);
  for (int some = 0; some < 2; some++) {
    unsigned char ablate[12];
    for (size_t i = 0; i < c->L * c->H; i++)
      ablate[i] = !some || i % 5 == 1 || i == 6;
    full_pass pass = full_pass_run (model, ids, 9, 0, NULL, NULL, ablate);
    plain_pass plain = plain_forward (model, ids, 9, ablate);
    assert_close (pass.attention, plain.attention, pass.attention_size, tolerance);
    assert_close (pass.logits, plain.logits, pass.logits_size, tolerance);
    plain_pass_free (&plain);
    full_pass_free (&pass);
  }
}

static void ablation (void **state)
{
  each_isa (check_ablation, *state);
}

/* ---- replaced weights ---- */

static void check_replacement (void *context)
{
  attn_gpt2 *model = context;
  const attn_gpt2_config *c = attn_gpt2_config_get (model);
  enum { T = 11 };
  int32_t ids[T];
  small_gpt2_ids (model, ids, T, 9);
  full_pass own = full_pass_run (model, ids, T, 0, NULL, NULL, NULL);

  /* Its own weights give the same output, also when only some heads are replaced. */
  const float *replace[12];
  for (size_t i = 0; i < c->L * c->H; i++)
    replace[i] = i % 3 != 1 ? own.matrices[i] : NULL;
  full_pass same = full_pass_run (model, ids, T, 0, NULL, replace, NULL);
  assert_near (same.logits, own.logits, own.logits_size, tolerance);
  assert_near (same.attention, own.attention, own.attention_size, tolerance);

  /* Weights of 0 are an ablated head. */
  float zeros[T * T] = {0};
  unsigned char ablate[12] = {0};
  memset (replace, 0, sizeof replace);
  replace[6] = zeros;
  ablate[6] = 1;
  full_pass none = full_pass_run (model, ids, T, 0, NULL, replace, NULL);
  full_pass ablated = full_pass_run (model, ids, T, 0, NULL, NULL, ablate);
  assert_same (none.logits, ablated.logits, none.logits_size);
  assert_same (none.matrices[6], zeros, T * T);
  assert_near (ablated.matrices[6], own.matrices[6], T * T, 0);
  full_pass_free (&own);
  full_pass_free (&same);
  full_pass_free (&none);
  full_pass_free (&ablated);
}

static void replacement (void **state)
{
  each_isa (check_replacement, *state);
}

/* ---- properties that hold bit for bit ---- */

/* check_causal -- changing the last tokens changes no earlier row. */
static void check_causal (void *context)
{
  attn_gpt2 *model = context;
  const attn_gpt2_config *c = attn_gpt2_config_get (model);
  static const size_t lengths[] = {2, 7, 20, T_LONG};
  for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
    size_t T = lengths[i], kept = T - 1 - T / 4;
    int32_t ids[T_LONG];
    small_gpt2_ids (model, ids, T, 5);
    full_pass a = full_pass_run (model, ids, T, 0, NULL, NULL, NULL);
    small_gpt2_ids (model, ids + kept, T - kept, 6);
    full_pass b = full_pass_run (model, ids, T, 0, NULL, NULL, NULL);
    assert_memory_not_equal (a.logits, b.logits, a.logits_size * sizeof (float));
    assert_same (a.logits, b.logits, kept * c->V);
    for (size_t l = 0; l <= c->L; l++)
      assert_same (a.hidden + l * c->C * T, b.hidden + l * c->C * T, kept * c->C);
    for (size_t m = 0; m < c->L * c->H; m++)
      for (size_t key = 0; key < T; key++)
        assert_same (a.matrices[m] + key * T, b.matrices[m] + key * T, kept);
    full_pass_free (&a);
    full_pass_free (&b);
  }
}

static void causal (void **state)
{
  each_isa (check_causal, *state);
}

/* check_early -- stopping after a block changes nothing before it; asking for the weights alone,
 * or for one head alone, gives the same weights. */
static void check_early (void *context)
{
  attn_gpt2 *model = context;
  const attn_gpt2_config *c = attn_gpt2_config_get (model);
  static const size_t lengths[] = {1, 3, 12, T_LONG};
  for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
    size_t T = lengths[i], size = T * T;
    int32_t ids[T_LONG];
    small_gpt2_ids (model, ids, T, 8);
    full_pass all = full_pass_run (model, ids, T, 0, NULL, NULL, NULL);
    for (size_t layers = 1; layers < c->L; layers++) {
      full_pass early = full_pass_run (model, ids, T, layers, NULL, NULL, NULL);
      assert_same (early.attention, all.attention, early.attention_size);
      assert_same (early.hidden, all.hidden, early.hidden_size);
      full_pass_free (&early);
    }
    for (size_t m = 0; m < c->L * c->H; m++) {
      float *weights = malloc (size * sizeof *weights), *capture[12] = {0};
      capture[m] = weights;
      attn_gpt2_request request = {.layers = m / c->H + 1, .attention = capture};
      assert_int_equal (attn_gpt2_forward (model, ids, T, NULL, &request, NULL, NULL), ATTN_OK);
      assert_same (weights, all.matrices[m], size);
      free (weights);
    }
    full_pass_free (&all);
  }
}

static void early_stop (void **state)
{
  each_isa (check_early, *state);
}

static void logits_from (void **state)
{
  attn_gpt2 *model = *state;
  const attn_gpt2_config *c = attn_gpt2_config_get (model);
  enum { T = 10 };
  int32_t ids[T];
  small_gpt2_ids (model, ids, T, 3);
  full_pass all = full_pass_run (model, ids, T, 0, NULL, NULL, NULL);
  for (size_t from = 0; from <= T; from++) {
    float *logits = malloc (c->V * (T - from) * sizeof *logits + 1);
    attn_gpt2_request request = {.logits = logits, .logits_from = from};
    assert_int_equal (attn_gpt2_forward (model, ids, T, NULL, &request, NULL, NULL), ATTN_OK);
    assert_same (logits, all.logits + from * c->V, (T - from) * c->V);
    free (logits);
  }
  full_pass_free (&all);
}

static void threads (void **state)
{
  attn_gpt2 *model = *state;
  const attn_gpt2_config *c = attn_gpt2_config_get (model);
  enum { T = 40 };
  int32_t ids[T];
  small_gpt2_ids (model, ids, T, 3);
  full_pass expected = full_pass_run (model, ids, T, 0, NULL, NULL, NULL);
  float *logits = malloc (c->V * T * sizeof *logits);
  for (int n = 1; n <= 5; n += 2) {
    attn_run run = {.threads = n};
    attn_gpt2_request request = {.logits = logits};
    assert_int_equal (attn_gpt2_forward (model, ids, T, NULL, &request, &run, NULL), ATTN_OK);
    assert_same (logits, expected.logits, c->V * T);
  }
  free (logits);
  full_pass_free (&expected);
}

/* ---- key/value cache ---- */

/* check_cached -- T tokens in pieces of STEP give what one pass gives. */
static void check_cached (const attn_gpt2 *model, size_t T, size_t step)
{
  const attn_gpt2_config *c = attn_gpt2_config_get (model);
  int32_t ids[T_LONG];
  small_gpt2_ids (model, ids, T, 12);
  full_pass all = full_pass_run (model, ids, T, 0, NULL, NULL, NULL);
  attn_gpt2_cache *cache = NULL;
  assert_int_equal (attn_gpt2_cache_create (&cache, model, T, NULL), ATTN_OK);
  for (size_t t0 = 0; t0 < T; t0 += step) {
    size_t n = T - t0 < step ? T - t0 : step;
    full_pass part = full_pass_run (model, ids + t0, n, 0, cache, NULL, NULL);
    assert_int_equal (attn_gpt2_cache_tokens (cache), t0 + n);
    assert_near (part.logits, all.logits + t0 * c->V, n * c->V, tolerance);
    for (size_t l = 0; l <= c->L; l++)
      assert_near (part.hidden + l * c->C * n, all.hidden + (l * T + t0) * c->C, n * c->C,
                   tolerance);
    for (size_t m = 0; m < c->L * c->H; m++)
      for (size_t key = 0; key < t0 + n; key++)
        for (size_t i = 0; i < n; i++) {
          float w = part.matrices[m][i + key * n], whole = all.matrices[m][t0 + i + key * T];
          assert_true (fabs ((double)w - (double)whole) <= tolerance);
        }
    full_pass_free (&part);
  }
  attn_gpt2_cache_free (&cache);
  assert_null (cache);
  full_pass_free (&all);
}

static void check_cache (void *context)
{
  check_cached (context, 14, 1);
  check_cached (context, 14, 3);
  check_cached (context, T_LONG, 50);
}

static void cache (void **state)
{
  each_isa (check_cache, *state);
}

static int stop_at (void *counter)
{
  int *left = counter;
  return (*left)-- <= 0;
}

/* failed_calls_keep_the_cache -- after failed passes the cache goes on as if nothing had been; a
 * pass can be interrupted in every block. */
static void failed_calls_keep_the_cache (void **state)
{
  attn_gpt2 *model = *state;
  const attn_gpt2_config *c = attn_gpt2_config_get (model);
  enum { T = 6, MORE = 2 };
  int32_t ids[T], bad[MORE] = {3, (int32_t)c->V}, other[MORE] = {7, 8};
  small_gpt2_ids (model, ids, T, 1);
  full_pass all = full_pass_run (model, ids, T, 0, NULL, NULL, NULL);
  attn_gpt2_cache *kept = NULL;
  assert_int_equal (attn_gpt2_cache_create (&kept, model, T, NULL), ATTN_OK);
  attn_gpt2_request nothing = {0};
  assert_int_equal (attn_gpt2_forward (model, ids, T - MORE, kept, &nothing, NULL, NULL), ATTN_OK);

  assert_int_equal (attn_gpt2_forward (model, bad, MORE, kept, &nothing, NULL, NULL), ATTN_E_RANGE);
  assert_int_equal (attn_gpt2_forward (model, ids, T, kept, &nothing, NULL, NULL), ATTN_E_TOO_LONG);
  for (int polls = 0; polls < 3 * (int)c->L; polls++) {
    int left = polls;
    attn_run run = {.threads = 1, .interrupted = stop_at, .interrupted_data = &left};
    assert_int_equal (attn_gpt2_forward (model, other, MORE, kept, &nothing, &run, NULL),
                      ATTN_E_INTERRUPTED);
    assert_int_equal (attn_gpt2_cache_tokens (kept), T - MORE);
  }
  full_pass rest = full_pass_run (model, ids + T - MORE, MORE, 0, kept, NULL, NULL);
  assert_near (rest.logits, all.logits + (T - MORE) * c->V, MORE * c->V, tolerance);
  full_pass_free (&rest);
  full_pass_free (&all);
  attn_gpt2_cache_free (&kept);
}

/* ---- wrong calls ---- */

static void wrong_calls (void **state)
{
  attn_gpt2 *model = *state;
  const attn_gpt2_config *c = attn_gpt2_config_get (model);
  int32_t ids[T_LONG + 40] = {0};
  float one;
  attn_gpt2_request nothing = {0}, deep = {.layers = c->L + 1}, partial = {.layers = 1};
  attn_gpt2_request behind = {.logits = &one, .logits_from = 3};
  partial.logits = &one;
  attn_error err;

  assert_int_equal (attn_gpt2_forward (model, ids, 0, NULL, &nothing, NULL, &err),
                    ATTN_E_EMPTY_TEXT);
  assert_int_equal (attn_gpt2_forward (model, ids, 97, NULL, &nothing, NULL, &err),
                    ATTN_E_TOO_LONG);
  assert_non_null (strstr (err.text, "97"));
  assert_non_null (strstr (err.text, "96"));
  assert_int_equal (attn_gpt2_forward (model, ids, 96, NULL, &nothing, NULL, &err), ATTN_OK);
  assert_int_equal (attn_gpt2_forward (model, ids, 2, NULL, &deep, NULL, &err), ATTN_E_RANGE);
  assert_int_equal (attn_gpt2_forward (model, ids, 2, NULL, &partial, NULL, &err), ATTN_E_RANGE);
  assert_int_equal (attn_gpt2_forward (model, ids, 2, NULL, &behind, NULL, &err), ATTN_E_RANGE);
  ids[1] = -1;
  assert_int_equal (attn_gpt2_forward (model, ids, 2, NULL, &nothing, NULL, &err), ATTN_E_RANGE);
  assert_non_null (strstr (err.text, "-1"));
  ids[1] = (int32_t)c->V;
  assert_int_equal (attn_gpt2_forward (model, ids, 2, NULL, &nothing, NULL, &err), ATTN_E_RANGE);
}

static void wrong_caches (void **state)
{
  attn_gpt2 *model = *state;
  attn_gpt2_cache *kept = NULL;
  attn_error err;
  assert_int_equal (attn_gpt2_cache_create (&kept, model, 0, &err), ATTN_E_TOO_LONG);
  assert_int_equal (attn_gpt2_cache_create (&kept, model, 97, &err), ATTN_E_TOO_LONG);
  assert_null (kept);
  attn_gpt2_config other_config = small_gpt2_config ();
  other_config.L = 2;
  attn_gpt2 *other = small_gpt2_create (other_config, 1);
  assert_int_equal (attn_gpt2_cache_create (&kept, other, 4, &err), ATTN_OK);
  int32_t id = 0;
  attn_gpt2_request nothing = {0};
  assert_int_equal (attn_gpt2_forward (model, &id, 1, kept, &nothing, NULL, &err), ATTN_E_SIZE);
  attn_gpt2_cache_free (&kept);
  attn_gpt2_cache_free (&kept);
  attn_gpt2_cache_free (NULL);
  small_gpt2_free (other);
}

static int open_small (void **state)
{
  *state = small_gpt2_create (small_gpt2_config (), 11);
  return 0;
}

static int close_small (void **state)
{
  small_gpt2_free (*state);
  return 0;
}

int main (void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test (fixture_models), cmocka_unit_test (settings),
      cmocka_unit_test (ablation),       cmocka_unit_test (replacement),
      cmocka_unit_test (causal),         cmocka_unit_test (early_stop),
      cmocka_unit_test (logits_from),    cmocka_unit_test (threads),
      cmocka_unit_test (cache),          cmocka_unit_test (failed_calls_keep_the_cache),
      cmocka_unit_test (wrong_calls),    cmocka_unit_test (wrong_caches),
  };
  return cmocka_run_group_tests (tests, open_small, close_small);
}
