#include "support/pass.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

full_pass full_pass_run (const attn_gpt2 *model, const int32_t *ids, size_t T, size_t layers,
                         attn_gpt2_cache *cache, const float *const *replace,
                         const unsigned char *ablate)
{
  const attn_gpt2_config *c = attn_gpt2_config_get (model);
  full_pass p = {.T = T, .layers = layers > 0 ? layers : c->L};
  p.T_all = T + (cache != NULL ? attn_gpt2_cache_tokens (cache) : 0);
  p.attention_size = p.layers * c->H * T * p.T_all;
  p.hidden_size = c->C * T * (p.layers + 1);
  p.logits_size = p.layers == c->L ? c->V * T : 0;
  p.attention = malloc (p.attention_size * sizeof (float));
  p.hidden = malloc (p.hidden_size * sizeof (float));
  p.logits = p.logits_size > 0 ? malloc (p.logits_size * sizeof (float)) : NULL;
  p.matrices = calloc (c->L * c->H, sizeof *p.matrices);
  for (size_t i = 0; i < p.layers * c->H; i++)
    p.matrices[i] = p.attention + i * T * p.T_all;
  attn_gpt2_request request = {.layers = layers,
                               .attention = p.matrices,
                               .replace = replace,
                               .ablate = ablate,
                               .hidden = p.hidden,
                               .logits = p.logits};
  attn_error err = {""};
  attn_status status = attn_gpt2_forward (model, ids, T, cache, &request, NULL, &err);
  assert_string_equal (err.text, "");
  assert_int_equal (status, ATTN_OK);
  return p;
}

void full_pass_free (full_pass *pass)
{
  free (pass->attention);
  free (pass->hidden);
  free (pass->logits);
  free (pass->matrices);
}

void assert_close (const float *a, const double *b, size_t n, double tolerance)
{
  double largest = 0, worst = 0;
  for (size_t i = 0; i < n; i++) {
    assert_true (isfinite (a[i]));
    largest = fmax (largest, fabs (b[i]));
    worst = fmax (worst, fabs ((double)a[i] - b[i]));
  }
  if (worst > tolerance * largest)
    fail_msg ("off by %g of %g, allowed %g", worst, largest, tolerance * largest);
}

void assert_near (const float *a, const float *b, size_t n, double tolerance)
{
  double *wide = malloc ((n > 0 ? n : 1) * sizeof *wide);
  for (size_t i = 0; i < n; i++)
    wide[i] = (double)b[i];
  assert_close (a, wide, n, tolerance);
  free (wide);
}

void assert_same (const float *a, const float *b, size_t n)
{
  for (size_t i = 0; i < n; i++)
    if (memcmp (&a[i], &b[i], sizeof *a) != 0)
      fail_msg ("number %zu is %.9g, not %.9g", i, (double)a[i], (double)b[i]);
}
