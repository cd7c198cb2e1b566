#include "__gpt2__.h"

#include <math.h>

static const struct {
  const char *name;
  int arguments; /* after the name */
  gpt2_command *run;
} commands[] = {
    {"open", 1, gpt2_open},
    {"loaded", 0, gpt2_loaded},
    {"unload", 1, gpt2_unload},
    {"has_tokenizer", 1, gpt2_has_tokenizer},
    {"load_tokenizer", 3, gpt2_load_tokenizer},
    {"describe_tokenizer", 1, gpt2_describe_tokenizer},
    {"encode", 3, gpt2_encode},
    {"encode_documents", 3, gpt2_encode_documents},
    {"tokens", 2, gpt2_tokens},
    {"forward", 8, gpt2_forward},
    {"generate_start", 7, gpt2_start},
    {"generate_next", 1, gpt2_next},
    {"generate_stop", 1, gpt2_stop},
};

void mexFunction (int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
  for (size_t i = 0; nrhs > 0 && i < sizeof commands / sizeof commands[0]; i++) {
    if (!marshal_is_name (prhs[0], commands[i].name))
      continue;
    if (nrhs - 1 != commands[i].arguments)
      marshal_fail (ATTN_E_SIZE, "__gpt2__: '%s' takes %d arguments; got %d", commands[i].name,
                    commands[i].arguments, nrhs - 1);
    commands[i].run (nlhs, plhs, nrhs - 1, prhs + 1);
    return;
  }
  marshal_fail (ATTN_E_OPTION, "__gpt2__: the first argument must be the name of a command");
}

int32_t *gpt2_ids (const mxArray *a, size_t *T)
{
  if (!mxIsDouble (a) || !marshal_is_float (a))
    marshal_fail (ATTN_E_TYPE, "ids must be real double numbers; got class %s",
                  marshal_class (a).text);
  *T = mxGetNumberOfElements (a);
  const double *from = mxGetData (a);
  int32_t *ids = marshal_alloc ("the ids", *T, sizeof *ids);
  for (size_t t = 0; t < *T; t++) {
    if (!(from[t] >= 0 && from[t] <= INT32_MAX && from[t] == floor (from[t])))
      marshal_fail (ATTN_E_RANGE, "id %zu must be a whole number from 0; got %g", t + 1, from[t]);
    ids[t] = (int32_t)from[t];
  }
  return ids;
}

double gpt2_number (const mxArray *a, const char *what)
{
  if (!marshal_is_number (a))
    marshal_fail (ATTN_E_TYPE, "%s must be one real number; got %s of class %s", what,
                  marshal_shape (a).text, marshal_class (a).text);
  return marshal_number (a);
}

size_t gpt2_size (const mxArray *a, const char *what, size_t max)
{
  double value = gpt2_number (a, what);
  if (!(value >= 0 && value <= (double)max && value == floor (value)))
    marshal_fail (ATTN_E_RANGE, "%s must be a whole number from 0 to %zu; got %g", what, max,
                  value);
  return (size_t)value;
}
