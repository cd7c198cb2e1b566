/* config.json: defaults, every setting, and what is refused by name; and that what is written is
 * read back as it was. */
#include <setjmp.h>
#include <locale.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "model/config.h"
#include "model/layout.h"
#include "model/writer.h"
#include "support/folder.h"

#define SIZES "\"n_layer\":2,\"n_head\":3,\"n_embd\":12,\"vocab_size\":300,\"n_positions\":32"

static attn_status parse (attn_gpt2_config *config, const char *text, attn_error *err)
{
  return gpt2_config_parse (config, "config.json", text, strlen (text), err);
}

static attn_gpt2_config accept (const char *text)
{
  attn_gpt2_config config;
  attn_error err;
  if (parse (&config, text, &err) != ATTN_OK)
    fail_msg ("%s: %s", text, err.text);
  return config;
}

static void test_defaults (void **state)
{
  (void)state;
  attn_gpt2_config c = accept ("{" SIZES "}");
  assert_int_equal (c.L, 2);
  assert_int_equal (c.H, 3);
  assert_int_equal (c.C, 12);
  assert_int_equal (c.F, 48);
  assert_int_equal (c.V, 300);
  assert_int_equal (c.T_max, 32);
  assert_true (c.norm_epsilon == 1e-5f);
  assert_int_equal (c.activation, ATTN_GELU_TANH);
  assert_int_equal (c.scale_by_head_size, 1);
  assert_int_equal (c.scale_by_layer, 0);
  assert_int_equal (c.tied_head, 1);
}

static void test_settings (void **state)
{
  (void)state;
  assert_int_equal (accept ("{" SIZES ",\"n_inner\":7}").F, 7);
  assert_int_equal (accept ("{" SIZES ",\"n_inner\":null}").F, 48);
  assert_true (accept ("{" SIZES ",\"layer_norm_epsilon\":0.25}").norm_epsilon == 0.25f);
  assert_int_equal (accept ("{" SIZES ",\"scale_attn_weights\":false}").scale_by_head_size, 0);
  assert_int_equal (accept ("{" SIZES ",\"scale_attn_by_inverse_layer_idx\":true}").scale_by_layer,
                    1);
  assert_int_equal (accept ("{" SIZES ",\"tie_word_embeddings\":false}").tied_head, 0);
  static const struct {
    const char *text;
    attn_activation activation;
  } rows[] = {
      {"{" SIZES ",\"activation_function\":\"gelu_new\"}", ATTN_GELU_TANH},
      {"{" SIZES ",\"activation_function\":\"gelu_pytorch_tanh\"}", ATTN_GELU_TANH},
      {"{" SIZES ",\"activation_function\":\"gelu_fast\"}", ATTN_GELU_TANH},
      {"{" SIZES ",\"activation_function\":\"gelu\"}", ATTN_GELU_ERF},
      {"{" SIZES ",\"activation_function\":\"relu\"}", ATTN_RELU},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    assert_int_equal (accept (rows[i].text).activation, rows[i].activation);
  /* other names of the same sizes; n_ctx where n_positions is missing */
  attn_gpt2_config c =
      accept ("{\"num_hidden_layers\":2,\"num_attention_heads\":3,\"hidden_size\":12,"
              "\"vocab_size\":300,\"n_ctx\":16}");
  assert_true (c.L == 2 && c.H == 3 && c.C == 12 && c.T_max == 16);
  assert_int_equal (accept ("{" SIZES ",\"n_ctx\":16}").T_max, 32);
  assert_int_equal (accept ("{" SIZES ",\"hidden_size\":12}").C, 12);
}

/* Settings that real files have and that change nothing, also ones nobody has heard of. */
static void test_ignored (void **state)
{
  (void)state;
  accept ("{" SIZES ",\"architectures\":[\"GPT2LMHeadModel\"],\"model_type\":\"gpt2\","
          "\"attn_pdrop\":0.1,\"bos_token_id\":50256,\"task_specific_params\":{\"a\":{\"b\":1}},"
          "\"torch_dtype\":\"float16\",\"use_cache\":true,\"reorder_and_upcast_attn\":true,"
          "\"add_cross_attention\":false,\"quantization_config\":null,\"pruned_heads\":{},"
          "\"is_encoder_decoder\":false,\"chunk_size_feed_forward\":0,\"my note\":\"x\"}");
}

static void test_refused (void **state)
{
  (void)state;
  static const struct {
    const char *text, *expected;
  } rows[] = {
      {"{\"n_head\":3,\"n_embd\":12,\"vocab_size\":300,\"n_positions\":32}",
       "'n_layer' is missing"},
      {"{\"n_layer\":2,\"n_embd\":12,\"vocab_size\":300,\"n_positions\":32}",
       "'n_head' is missing"},
      {"{\"n_layer\":2,\"n_head\":3,\"vocab_size\":300,\"n_positions\":32}", "'n_embd' is missing"},
      {"{\"n_layer\":2,\"n_head\":3,\"n_embd\":12,\"n_positions\":32}", "'vocab_size' is missing"},
      {"{\"n_layer\":2,\"n_head\":3,\"n_embd\":12,\"vocab_size\":3}", "'n_positions' is missing"},
      {"{" SIZES ",\"hidden_size\":24}", "'n_embd' is 12 but 'hidden_size'"},
      {"{" SIZES ",\"n_inner\":0}", "'n_inner': expected 1 to 2147483647, got 0"},
      {"{" SIZES ",\"n_inner\":2147483648}", "'n_inner': expected 1 to 2147483647"},
      {"{" SIZES ",\"n_inner\":-1}", "'n_inner'"},
      {"{" SIZES ",\"n_inner\":\"7\"}", "'n_inner'"},
      {"{" SIZES ",\"n_inner\":1.5}", "'n_inner'"},
      {"{\"n_layer\":0,\"n_head\":3,\"n_embd\":12,\"vocab_size\":300,\"n_positions\":32}",
       "'n_layer': expected 1"},
      {"{\"n_layer\":2,\"n_head\":0,\"n_embd\":12,\"vocab_size\":300,\"n_positions\":32}",
       "'n_head': expected 1"},
      {"{\"n_layer\":2,\"n_head\":5,\"n_embd\":12,\"vocab_size\":300,\"n_positions\":32}",
       "divides 'n_embd', got 5 and 12"},
      {"{\"n_layer\":2147483647,\"n_head\":1,\"n_embd\":2147483647,\"vocab_size\":2147483647,"
       "\"n_positions\":2147483647,\"n_inner\":2147483647}",
       "more weights than memory can address"},
      {"{\"n_layer\":9007199254740993,\"n_head\":1,\"n_embd\":1,\"vocab_size\":1,\"n_positions\":"
       "1}",
       "'n_layer'"},
      {"{" SIZES ",\"layer_norm_epsilon\":0}", "'layer_norm_epsilon': expected a number above 0"},
      {"{" SIZES ",\"layer_norm_epsilon\":-1e-5}", "'layer_norm_epsilon'"},
      {"{" SIZES ",\"layer_norm_epsilon\":1e-60}", "'layer_norm_epsilon'"},
      {"{" SIZES ",\"layer_norm_epsilon\":1e60}", "'layer_norm_epsilon'"},
      {"{" SIZES ",\"layer_norm_epsilon\":\"1e-5\"}", "'layer_norm_epsilon'"},
      {"{" SIZES ",\"activation_function\":\"silu\"}", "gelu or relu, got 'silu'"},
      {"{" SIZES ",\"activation_function\":1}", "'activation_function'"},
      {"{" SIZES ",\"tie_word_embeddings\":1}", "'tie_word_embeddings'"},
      {"{" SIZES ",\"scale_attn_weights\":\"yes\"}", "'scale_attn_weights'"},
      {"{" SIZES ",\"model_type\":\"llama\"}", "'model_type': expected gpt2, got 'llama'"},
      {"{" SIZES ",\"add_cross_attention\":true}", "'add_cross_attention' is set"},
      {"{" SIZES ",\"quantization_config\":{\"bits\":4}}", "'quantization_config' is set"},
      {"{" SIZES ",\"pruned_heads\":{\"0\":[1]}}", "'pruned_heads' is set"},
      {"{" SIZES ",\"position_embedding_type\":\"relative_key\"}", "'position_embedding_type'"},
      {"{" SIZES ",\"alibi\":true}", "'alibi' is set"},
      {"{" SIZES ",\"multi_query\":true}", "'multi_query' is set"},
      {"{" SIZES ",\"auto_map\":{\"AutoModel\":\"x.Y\"}}", "'auto_map' is set"},
      {"{" SIZES ",\"n_layer\":3}", "'n_layer' appears twice"},
      {"", "config.json: not JSON"},
      {"[]", "config.json"},
      {"{" SIZES, "not JSON"},
      {"<!DOCTYPE html>", "not JSON: it looks like a web page"},
      {"version https://git-lfs.github.com/spec/v1", "looks like a Git LFS pointer"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    attn_gpt2_config config;
    attn_error err = {""};
    attn_status status = parse (&config, rows[i].text, &err);
    if (status != ATTN_E_MODEL_CORRUPT || strstr (err.text, rows[i].expected) == NULL ||
        strncmp (err.text, "config.json", 11) != 0)
      fail_msg ("%s: status %d, got '%s', expected '%s'", rows[i].text, (int)status, err.text,
                rows[i].expected);
  }
}

/* The counts that OpenAI's four models are known by, and GPT-2's 148 tensors. */
static void test_parameters (void **state)
{
  (void)state;
  static const struct {
    size_t L, H, C, parameters;
  } rows[] = {
      {12, 12, 768, 124439808},
      {24, 16, 1024, 354823168},
      {36, 20, 1280, 774030080},
      {48, 25, 1600, 1557611200},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    attn_gpt2_config config = {.L = rows[i].L,
                               .H = rows[i].H,
                               .C = rows[i].C,
                               .F = 4 * rows[i].C,
                               .V = 50257,
                               .T_max = 1024,
                               .tied_head = 1};
    size_t parameters = 0;
    assert_true (gpt2_parameters (&config, &parameters));
    assert_int_equal (parameters, rows[i].parameters);
    assert_int_equal (gpt2_tensor_count (&config), 4 + 12 * rows[i].L);
  }
}

static void test_round_trip (void **state)
{
  (void)state;
  static const char *const locales[] = {"C", "de_DE.UTF-8", "fr_FR.UTF-8"};
  static const float epsilons[] = {1e-5f, 1e-12f, 0.1f, 1.17549435e-38f, 3.40282347e38f, 1.0f / 3};
  char folder[FOLDER_PATH], path[FOLDER_PATH];
  folder_create (folder);
  file_path (path, folder, "config.json");
  for (size_t i = 0; i < 18; i++) {
    setlocale (LC_NUMERIC, locales[i % 3]); /* where the system has it: a comma in printf */
    attn_gpt2_config in = {.L = 1 + i, .H = 2, .C = 8, .F = 31, .V = 300, .T_max = 77};
    in.norm_epsilon = epsilons[i / 3];
    in.activation = (attn_activation)(i % 3);
    in.scale_by_head_size = i % 2 == 0;
    in.scale_by_layer = i % 2 == 1;
    in.tied_head = i % 4 < 2;
    attn_error err;
    assert_int_equal (gpt2_config_write (path, &in, i % 2 == 0 ? -1 : 299, &err), ATTN_OK);
    setlocale (LC_NUMERIC, "C");
    size_t bytes;
    char *text = folder_read (folder, "config.json", &bytes);
    attn_gpt2_config out = accept (text);
    assert_true (out.L == in.L && out.H == in.H && out.C == in.C && out.F == in.F &&
                 out.V == in.V && out.T_max == in.T_max);
    assert_true (out.norm_epsilon == in.norm_epsilon);
    assert_int_equal (out.activation, in.activation);
    assert_int_equal (out.scale_by_head_size, in.scale_by_head_size);
    assert_int_equal (out.scale_by_layer, in.scale_by_layer);
    assert_int_equal (out.tied_head, in.tied_head);
    free (text);
  }
  folder_remove (folder);
}

int main (void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test (test_defaults),   cmocka_unit_test (test_settings),
      cmocka_unit_test (test_ignored),    cmocka_unit_test (test_refused),
      cmocka_unit_test (test_parameters), cmocka_unit_test (test_round_trip),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
