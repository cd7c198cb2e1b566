#include "model/config.h"

#include <math.h>
#include <string.h>

#include "base/json.h"
#include "model/layout.h"
#include "model/wording.h"

/* The names under which the file may give a size; the second is the general one of the Hugging Face
 * library, which means the same. */
typedef struct {
  const char *name, *other;
  size_t offset; /* in attn_gpt2_config */
} size_setting;

static const size_setting sizes[] = {
    {"n_layer", "num_hidden_layers", offsetof (attn_gpt2_config, L)},
    {"n_head", "num_attention_heads", offsetof (attn_gpt2_config, H)},
    {"n_embd", "hidden_size", offsetof (attn_gpt2_config, C)},
    {"vocab_size", NULL, offsetof (attn_gpt2_config, V)},
    {"n_positions", "max_position_embeddings", offsetof (attn_gpt2_config, T_max)},
};

static const struct {
  const char *name;
  attn_activation activation;
} activations[] = {
    {"gelu_new", ATTN_GELU_TANH},  {"gelu", ATTN_GELU_ERF},
    {"relu", ATTN_RELU},           {"gelu_pytorch_tanh", ATTN_GELU_TANH}, /* the same formula */
    {"gelu_fast", ATTN_GELU_TANH}, /* the same, factored differently */
};

/* Settings that must be off: absent, null, false, 0, or empty. */
static const char *const must_be_off[] = {
    "add_cross_attention",
    "alibi",
    "auto_map",
    "is_encoder_decoder",
    "multi_query",
    "pruned_heads",
    "quantization",
    "rope_scaling",
    "rope_theta",
    "rotary_dim",
    "quantization_config",
    "rotary_pct",
    "rotary",
    "sliding_window",
    "window_size",
    "parallel_residual",
    "use_parallel_residual",
    "compression_config",
};

const char *activation_name (attn_activation activation)
{
  for (size_t i = 0; i < sizeof activations / sizeof activations[0]; i++)
    if (activations[i].activation == activation)
      return activations[i].name;
  return "";
}

static bool is_absent (json_value value)
{
  json_kind kind = json_kind_of (value);
  return kind == JSON_ABSENT || kind == JSON_NULL;
}

static bool is_off (json_value value)
{
  bool flag;
  double number;
  const char *text;
  switch (json_kind_of (value)) {
  case JSON_ABSENT:
  case JSON_NULL:
    return true;
  case JSON_BOOLEAN:
    return json_read_boolean (value, &flag, NULL) == ATTN_OK && !flag;
  case JSON_NUMBER:
    return json_read_number (value, &number, NULL) == ATTN_OK && number == 0;
  case JSON_STRING:
    return json_read_string (value, &text, NULL) == ATTN_OK && text[0] == '\0';
  case JSON_ARRAY:
  case JSON_OBJECT:
    return json_count (value) == 0;
  }
  return false;
}

static attn_status read_sizes (json_value root, const char *source, attn_gpt2_config *config,
                               attn_error *err)
{
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    size_t *size = (size_t *)(void *)((char *)config + sizes[i].offset);
    json_value value = json_find (root, sizes[i].name);
    json_value other = {0};
    if (sizes[i].other != NULL)
      other = json_find (root, sizes[i].other);
    if (is_absent (value) && !is_absent (other))
      value = other;
    if (is_absent (value) && strcmp (sizes[i].name, "n_positions") == 0)
      value = json_find (root, "n_ctx");
    if (is_absent (value))
      return attn_fail (err, ATTN_E_MODEL_CORRUPT, "%s: '%s' is missing", source, sizes[i].name);
    attn_status status = json_read_size (value, size, err);
    size_t again = *size;
    if (status == ATTN_OK && !is_absent (other))
      status = json_read_size (other, &again, err);
    if (status != ATTN_OK)
      return status;
    if (again != *size)
      return attn_fail (err, ATTN_E_MODEL_CORRUPT,
                        "%s: '%s' is %zu but '%s', which means the same, is %zu", source,
                        sizes[i].name, *size, sizes[i].other, again);
  }
  config->F = 4 * config->C;
  json_value inner = json_find (root, "n_inner");
  return is_absent (inner) ? ATTN_OK : json_read_size (inner, &config->F, err);
}

static attn_status read_flag (json_value root, const char *name, int *flag, attn_error *err)
{
  bool value = *flag != 0;
  json_value member = json_find (root, name);
  attn_status status = ATTN_OK;
  if (!is_absent (member))
    status = json_read_boolean (member, &value, err);
  *flag = value;
  return status;
}

static attn_status read_activation (json_value root, const char *source,
                                    attn_activation *activation, attn_error *err)
{
  const char *name = "gelu_new";
  json_value value = json_find (root, "activation_function");
  if (!is_absent (value)) {
    attn_status status = json_read_string (value, &name, err);
    if (status != ATTN_OK)
      return status;
  }
  for (size_t i = 0; i < sizeof activations / sizeof activations[0]; i++)
    if (strcmp (activations[i].name, name) == 0) {
      *activation = activations[i].activation;
      return ATTN_OK;
    }
  return attn_fail (err, ATTN_E_MODEL_CORRUPT,
                    "%s: 'activation_function': expected gelu_new, gelu_pytorch_tanh, gelu_fast, "
                    "gelu or relu, got '%s'",
                    source, printable_name (name).text);
}

static attn_status read_epsilon (json_value root, float *epsilon, attn_error *err)
{
  double number = 1e-5;
  attn_status status = ATTN_OK;
  json_value value = json_find (root, "layer_norm_epsilon");
  if (!is_absent (value))
    status = json_read_number (value, &number, err);
  *epsilon = (float)number;
  return status;
}

/* check_text -- a setting that, when present, must be EXPECTED. */
static attn_status check_text (json_value root, const char *source, const char *name,
                               const char *expected, attn_error *err)
{
  const char *text = expected;
  json_value value = json_find (root, name);
  if (is_absent (value))
    return ATTN_OK;
  attn_status status = json_read_string (value, &text, err);
  if (status == ATTN_OK && strcmp (text, expected) != 0)
    return attn_fail (err, ATTN_E_MODEL_CORRUPT, "%s: '%s': expected %s, got '%s'", source, name,
                      expected, printable_name (text).text);
  return status;
}

static attn_status check_others (json_value root, const char *source, attn_error *err)
{
  attn_status status = check_text (root, source, "model_type", "gpt2", err);
  if (status == ATTN_OK)
    status = check_text (root, source, "position_embedding_type", "absolute", err);
  for (size_t i = 0; i < sizeof must_be_off / sizeof must_be_off[0] && status == ATTN_OK; i++)
    if (!is_off (json_find (root, must_be_off[i])))
      status = attn_fail (err, ATTN_E_MODEL_CORRUPT,
                          "%s: '%s' is set: it changes the results in a way that is not supported",
                          source, must_be_off[i]);
  return status;
}

attn_status gpt2_config_check (const attn_gpt2_config *config, const char *source,
                               attn_status status, attn_error *err)
{
  const struct {
    const char *name;
    size_t value;
  } values[] = {{"n_layer", config->L}, {"n_head", config->H},     {"n_embd", config->C},
                {"n_inner", config->F}, {"vocab_size", config->V}, {"n_positions", config->T_max}};
  size_t parameters;
  for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
    if (values[i].value < 1 || values[i].value > GPT2_SIZE_MAX)
      return attn_fail (err, status, "%s: '%s': expected 1 to %d, got %zu", source, values[i].name,
                        GPT2_SIZE_MAX, values[i].value);
  if (config->C % config->H != 0)
    return attn_fail (err, status,
                      "%s: expected an 'n_head' that divides 'n_embd', got %zu and %zu", source,
                      config->H, config->C);
  if (!gpt2_parameters (config, &parameters))
    return attn_fail (err, status, "%s: the sizes give more weights than memory can address",
                      source);
  if (!isfinite (config->norm_epsilon) || !(config->norm_epsilon > 0))
    return attn_fail (err, status, "%s: 'layer_norm_epsilon': expected a number above 0, got %g",
                      source, (double)config->norm_epsilon);
  return ATTN_OK;
}

attn_status gpt2_config_parse (attn_gpt2_config *config, const char *source, const char *text,
                               size_t bytes, attn_error *err)
{
  json_document *document = NULL;
  *config = (attn_gpt2_config){.scale_by_head_size = 1, .tied_head = 1};
  const char *wrong = wording_wrong_download (text, bytes);
  if (wrong != NULL)
    return attn_fail (err, ATTN_E_MODEL_CORRUPT,
                      "%s: not JSON: it looks like %s; download it again", source, wrong);
  attn_status status = json_parse (&document, source, text, bytes, err);
  if (status != ATTN_OK)
    return status;
  json_value root = json_root (document);
  status = json_check_unique (root, err);
  if (status == ATTN_OK)
    status = check_others (root, source, err);
  if (status == ATTN_OK)
    status = read_sizes (root, source, config, err);
  if (status == ATTN_OK)
    status = read_activation (root, source, &config->activation, err);
  if (status == ATTN_OK)
    status = read_epsilon (root, &config->norm_epsilon, err);
  if (status == ATTN_OK)
    status = read_flag (root, "scale_attn_weights", &config->scale_by_head_size, err);
  if (status == ATTN_OK)
    status = read_flag (root, "scale_attn_by_inverse_layer_idx", &config->scale_by_layer, err);
  if (status == ATTN_OK)
    status = read_flag (root, "tie_word_embeddings", &config->tied_head, err);
  if (status == ATTN_OK)
    status = gpt2_config_check (config, source, ATTN_E_MODEL_CORRUPT, err);
  json_free (&document);
  return status;
}
