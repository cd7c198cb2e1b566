/* The gateway to training: __gpt2_train__ (COMMAND, ...), called only by gpt2_train and
 * gpt2_train_tokenizer, which check what the user gave and word the errors about it.
 *
 * Trainings live in plain memory under a number, because they outlive the call; a command raises
 * only while it owns nothing itself. */
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "marshal.h"

#include "attn/train.h"
#include "attn/train_tokenizer.h"

typedef struct training {
  double handle;
  attn_trainer *trainer;
  attn_random random;
  void *note; /* of the checkpoint it was resumed from */
  size_t note_bytes;
  struct training *next;
} training;

static training *all = NULL;

static void free_one (training *t)
{
  attn_trainer_free (&t->trainer);
  attn_note_free (&t->note);
  free (t);
}

static void free_all (void)
{
  while (all != NULL) {
    training *t = all;
    all = t->next;
    free_one (t);
  }
}

static training **place_of (const mxArray *a)
{
  training **place = &all;
  double handle = marshal_is_number (a) ? marshal_number (a) : 0;
  while (*place != NULL && (*place)->handle != handle)
    place = &(*place)->next;
  return place;
}

static training *find (const mxArray *a)
{
  training *t = *place_of (a);
  if (t == NULL)
    marshal_fail (ATTN_E_MODEL_NOT_FOUND, "the training has been ended or cleared");
  return t;
}

/* ---- arguments ---- */

static double number_in (const mxArray *s, const char *field)
{
  const mxArray *value = mxIsStruct (s) ? mxGetField (s, 0, field) : NULL;
  if (value == NULL || !marshal_is_number (value))
    marshal_fail (ATTN_E_OPTION, "%s must be one number", field);
  return marshal_number (value);
}

static size_t size_in (const mxArray *s, const char *field)
{
  double value = number_in (s, field);
  if (!(value >= 0 && value <= 0x1p53))
    marshal_fail (ATTN_E_RANGE, "%s must be a whole number from 0; got %g", field, value);
  return (size_t)value;
}

static attn_gpt2_config config_of (const mxArray *s)
{
  return (attn_gpt2_config){.L = size_in (s, "L"),
                            .H = size_in (s, "H"),
                            .C = size_in (s, "C"),
                            .F = size_in (s, "F"),
                            .V = size_in (s, "V"),
                            .T_max = size_in (s, "T_max"),
                            .norm_epsilon = 1e-5f,
                            .activation = ATTN_GELU_TANH,
                            .scale_by_head_size = 1,
                            .tied_head = 1};
}

static const void *elements_of (const mxArray *a, mxClassID class_id, const char *what,
                                size_t *count)
{
  if (mxGetClassID (a) != class_id || mxIsComplex (a))
    marshal_fail (ATTN_E_TYPE, "%s has class %s", what, marshal_class (a).text);
  *count = mxGetNumberOfElements (a);
  return mxGetData (a);
}

/* text_in -- a char argument; NUL-terminated, memory of the interpreter. */
static const char *text_in (const mxArray *a, const char *what)
{
  size_t bytes;
  return marshal_text (a, what, &bytes);
}

/* ---- commands: beginning and ending ---- */

typedef void train_command (mxArray *plhs[], const mxArray *prhs[]);

/* begin -- a new training from a model's geometry, a saved model or a checkpoint: whatever OPEN
 * makes; gives [handle, info]. */
typedef attn_status opener (training *t, const void *source, const attn_fresh *fresh,
                            attn_error *err);

static void begin (opener *open, const void *source, const attn_fresh *fresh, mxArray *plhs[])
{
  static const char *names[] = {"L", "H", "C", "F", "V", "T_max", "parameters", "steps"};
  static double last_handle = 0;
  attn_error err;
  plhs[0] = mxCreateDoubleScalar (last_handle + 1);
  plhs[1] = mxCreateStructMatrix (1, 1, sizeof names / sizeof *names, names);
  training *t = calloc (1, sizeof *t);
  attn_status status = t != NULL ? open (t, source, fresh, &err)
                                 : attn_fail (&err, ATTN_E_NOMEM, "out of memory: a training");
  if (status != ATTN_OK) {
    if (t != NULL)
      free_one (t);
    marshal_raise (status, &err);
  }
  t->handle = ++last_handle;
  t->next = all;
  all = t;
  mexAtExit (free_all);
  const attn_gpt2_config *config = attn_trainer_config_get (t->trainer);
  const size_t values[] = {config->L,
                           config->H,
                           config->C,
                           config->F,
                           config->V,
                           config->T_max,
                           attn_trainer_parameters (t->trainer),
                           attn_trainer_steps (t->trainer)};
  for (size_t i = 0; i < sizeof values / sizeof *values; i++)
    mxSetField (plhs[1], 0, names[i], mxCreateDoubleScalar ((double)values[i]));
}

/* Rows are drawn from other random numbers than the weights. */
static void seed_rows (training *t, uint64_t seed)
{
  attn_random_seed (&t->random, ~seed);
}

static attn_status open_fresh (training *t, const void *source, const attn_fresh *fresh,
                               attn_error *err)
{
  seed_rows (t, fresh->seed);
  return attn_trainer_create (&t->trainer, source, fresh, err);
}

static attn_status open_model (training *t, const void *source, const attn_fresh *fresh,
                               attn_error *err)
{
  attn_gpt2 *model = NULL;
  seed_rows (t, fresh->seed);
  attn_status status = attn_gpt2_open (&model, source, err);
  if (status == ATTN_OK)
    status = attn_trainer_from_model (&t->trainer, model, err);
  attn_gpt2_close (&model);
  return status;
}

static attn_status open_checkpoint (training *t, const void *source, const attn_fresh *fresh,
                                    attn_error *err)
{
  (void)fresh;
  return attn_trainer_resume (&t->trainer, &t->random, &t->note, &t->note_bytes, source, err);
}

/* [handle, info] = fresh (config, options): options.seed, .position_amplitude */
static void train_fresh (mxArray *plhs[], const mxArray *prhs[])
{
  attn_gpt2_config config = config_of (prhs[0]);
  const attn_fresh fresh = {.seed = size_in (prhs[1], "seed"),
                            .position_amplitude = number_in (prhs[1], "position_amplitude")};
  begin (open_fresh, &config, &fresh, plhs);
}

/* [handle, info] = model (folder, options) */
static void train_model (mxArray *plhs[], const mxArray *prhs[])
{
  const attn_fresh fresh = {.seed = size_in (prhs[1], "seed")};
  begin (open_model, text_in (prhs[0], "the folder"), &fresh, plhs);
}

/* [handle, info] = resume (file) */
static void train_resume (mxArray *plhs[], const mxArray *prhs[])
{
  begin (open_checkpoint, text_in (prhs[0], "the file"), NULL, plhs);
}

/* text = note (handle): what `checkpoint` was given. */
static void train_note (mxArray *plhs[], const mxArray *prhs[])
{
  const training *t = find (prhs[0]);
  plhs[0] = marshal_chars (t->note, t->note_bytes);
}

/* end (handle): accepts one that is gone. */
static void train_end (mxArray *plhs[], const mxArray *prhs[])
{
  (void)plhs;
  training **place = place_of (prhs[0]), *t = *place;
  if (t == NULL)
    return;
  *place = t->next;
  free_one (t);
}

/* ---- commands: working ---- */

/* A step at work: its batch is memory of the interpreter. */
typedef struct {
  const int32_t *tokens;
  const size_t *starts;
  size_t token_count, start_count, B, T, parts;
  double share;
  int32_t *ids, *targets;
} batches;

static attn_status accumulate (training *t, batches *b, double *loss, const attn_run *run,
                               attn_error *err)
{
  *loss = 0;
  for (size_t n = 0; n < b->parts; n++) {
    double part;
    attn_status status =
        attn_batch_draw (&t->random, b->tokens, b->token_count, b->starts, b->start_count, b->share,
                         b->B, b->T, b->ids, b->targets, err);
    if (status == ATTN_OK)
      status = attn_trainer_accumulate (t->trainer, b->ids, b->targets, b->B, b->T,
                                        1 / (double)b->parts, &part, run, err);
    if (status != ATTN_OK)
      return status;
    *loss += part / (double)b->parts;
  }
  return ATTN_OK;
}

/* [loss, norm, rate] = step (handle, tokens, starts, options): one update.  tokens int32, starts
 * uint64 (from 0); options has batch, length, accumulate, start_share, rate and the fields of
 * attn_adamw.
 */
static void train_step (mxArray *plhs[], const mxArray *prhs[])
{
  attn_error err;
  double loss, norm = 0;
  training *t = find (prhs[0]);
  const mxArray *o = prhs[3];
  batches b = {.B = size_in (o, "batch"),
               .T = size_in (o, "length"),
               .parts = size_in (o, "accumulate"),
               .share = number_in (o, "start_share")};
  b.tokens = elements_of (prhs[1], mxINT32_CLASS, "tokens", &b.token_count);
  b.starts = elements_of (prhs[2], mxUINT64_CLASS, "starts", &b.start_count);
  attn_adamw adamw = {.beta1 = number_in (o, "beta1"),
                      .beta2 = number_in (o, "beta2"),
                      .epsilon = number_in (o, "epsilon"),
                      .weight_decay = number_in (o, "weight_decay"),
                      .clip = number_in (o, "clip")};
  const double rate =
      attn_learning_rate (attn_trainer_steps (t->trainer), size_in (o, "steps"),
                          size_in (o, "warmup"), number_in (o, "peak"), number_in (o, "floor"));
  const size_t batch = size_times (b.B, b.T);
  b.ids = marshal_alloc ("the tokens of a step", batch, sizeof *b.ids);
  b.targets = marshal_alloc ("the tokens of a step", batch, sizeof *b.targets);

  attn_run run = marshal_run ();
  const attn_random before = t->random;
  attn_status status = accumulate (t, &b, &loss, &run, &err);
  if (status == ATTN_OK)
    status = attn_trainer_update (t->trainer, &adamw, rate, &norm, &run, &err);
  if (status != ATTN_OK) {
    t->random = before; /* a checkpoint written now goes on with the same rows */
    marshal_raise (status, &err);
  }
  plhs[0] = mxCreateDoubleScalar (loss);
  plhs[1] = mxCreateDoubleScalar (norm);
  plhs[2] = mxCreateDoubleScalar (rate);
}

/* loss = evaluate (handle, tokens, options): mean over consecutive rows of `length` tokens, `batch`
 * at a time. */
static void train_evaluate (mxArray *plhs[], const mxArray *prhs[])
{
  attn_error err;
  size_t count, B = size_in (prhs[2], "batch"), T = size_in (prhs[2], "length");
  training *t = find (prhs[0]);
  const int32_t *tokens = elements_of (prhs[1], mxINT32_CLASS, "tokens", &count);
  if (B == 0 || T == 0 || count <= T)
    marshal_fail (ATTN_E_RANGE, "Validation must have more than %zu tokens; it has %zu", T, count);
  size_t rows = (count - 1) / T, used = rows * T; /* below count */
  int32_t *targets = marshal_alloc ("the tokens of Validation", used, sizeof *targets);
  memcpy (targets, tokens + 1, used * sizeof *targets);
  attn_run run = marshal_run ();
  double sum = 0;
  for (size_t row = 0; row < rows; row += B) {
    size_t n = rows - row < B ? rows - row : B;
    double loss;
    attn_status status = attn_trainer_evaluate (t->trainer, tokens + row * T, targets + row * T, n,
                                                T, &loss, &run, &err);
    if (status != ATTN_OK)
      marshal_raise (status, &err);
    sum += loss * (double)n;
  }
  plhs[0] = mxCreateDoubleScalar (sum / (double)rows);
}

/* checkpoint (handle, file, note) */
static void train_checkpoint (mxArray *plhs[], const mxArray *prhs[])
{
  (void)plhs;
  attn_error err;
  size_t bytes;
  const training *t = find (prhs[0]);
  const char *file = text_in (prhs[1], "the file");
  const char *note = marshal_text (prhs[2], "the note", &bytes);
  attn_status status = attn_trainer_checkpoint (t->trainer, &t->random, note, bytes, file, &err);
  if (status != ATTN_OK)
    marshal_raise (status, &err);
}

/* save (handle, folder, options): options.end_of_text (-1 = none), options.half */
static void train_save (mxArray *plhs[], const mxArray *prhs[])
{
  (void)plhs;
  attn_error err;
  const training *t = find (prhs[0]);
  const char *folder = text_in (prhs[1], "the folder");
  attn_store store = number_in (prhs[2], "half") != 0 ? ATTN_STORE_F16 : ATTN_STORE_F32;
  attn_status status = attn_trainer_save_model (
      t->trainer, folder, (int32_t)number_in (prhs[2], "end_of_text"), store, &err);
  if (status != ATTN_OK)
    marshal_raise (status, &err);
}

/* [merges, vocab] = bpe (text, size): the two files of a tokenizer, with <|endoftext|> last. */
static void train_bpe (mxArray *plhs[], const mxArray *prhs[])
{
  attn_error err;
  attn_bpe_files files;
  size_t bytes;
  const char *text = marshal_text (prhs[0], "the text", &bytes);
  double size = marshal_is_number (prhs[1]) ? marshal_number (prhs[1]) : 0;
  if (!(size >= 257 && size <= 1 << 20))
    marshal_fail (ATTN_E_RANGE, "the size must be from 257 to %d; got %g", 1 << 20, size);
  attn_run run = marshal_run ();
  attn_status status = attn_bpe_train (&files, text, bytes, (size_t)size, 1, &run, &err);
  if (status != ATTN_OK)
    marshal_raise (status, &err);
  char *copies[2] = {mxMalloc (files.merges_bytes + 1), mxMalloc (files.vocab_bytes + 1)};
  size_t sizes[2] = {files.merges_bytes, files.vocab_bytes};
  memcpy (copies[0], files.merges, sizes[0]);
  memcpy (copies[1], files.vocab, sizes[1]);
  attn_bpe_files_free (&files);
  for (int i = 0; i < 2; i++)
    plhs[i] = marshal_chars (copies[i], sizes[i]);
}

static const struct {
  const char *name;
  int arguments; /* after the name */
  train_command *run;
} commands[] = {
    {"fresh", 2, train_fresh},
    {"model", 2, train_model},
    {"resume", 1, train_resume},
    {"note", 1, train_note},
    {"step", 4, train_step},
    {"evaluate", 3, train_evaluate},
    {"checkpoint", 3, train_checkpoint},
    {"save", 3, train_save},
    {"end", 1, train_end},
    {"bpe", 2, train_bpe},
};

void mexFunction (int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
  (void)nlhs;
  for (size_t i = 0; nrhs > 0 && i < sizeof commands / sizeof commands[0]; i++)
    if (marshal_is_name (prhs[0], commands[i].name) && nrhs - 1 == commands[i].arguments) {
      commands[i].run (plhs, prhs + 1);
      return;
    }
  marshal_fail (ATTN_E_OPTION, "__gpt2_train__: no such command with %d arguments", nrhs - 1);
}
