#include "train/layers.h"

#include <math.h>
#include <string.h>

#include "base/size.h"
#include "base/threads.h"

/* Below this many elements a second thread costs more than it saves. */
enum { ELEMENTS_PER_THREAD = 16384 };

layer_run layer_run_of (const attn_run *run)
{
  kern_isa isa = kern_isa_choose ();
  return (layer_run){kern_dense_table (isa, REAL_TYPE),
                     kern_train_table (isa, REAL_TYPE),
                     {.threads = parallel_threads (run), .team = run != NULL ? run->team : NULL}};
}

/* A loop over N rows, cut into chunks of `rows` rows. */
typedef struct {
  size_t N, rows;
} chunking;

static chunking chunks_of (size_t N)
{
  return (chunking){N, size_max (size_ceil_div (N, LAYER_CHUNKS), 1)};
}

static size_t chunk_count (chunking c)
{
  return size_ceil_div (c.N, c.rows);
}

/* chunk_begin, chunk_rows -- first row and number of rows of one chunk. */
static size_t chunk_begin (chunking c, size_t chunk)
{
  return chunk * c.rows;
}

static size_t chunk_rows (chunking c, size_t chunk)
{
  return size_min (c.rows, c.N - chunk_begin (c, chunk));
}

/* run_chunks -- calls ITEM for each chunk of rows of WIDTH elements. */
static void run_chunks (chunking c, size_t width, parallel_item *item, void *context,
                        const layer_run *run)
{
  bool small = c.N < ELEMENTS_PER_THREAD / size_max (width, 1);
  (void)parallel_for (chunk_count (c), small ? 1 : run->workers.threads, item, context,
                      &run->workers, NULL);
}

size_t layer_scratch_size (size_t width)
{
  return LAYER_CHUNKS * width;
}

/* add_partials -- sum (width) += the partial sums of all chunks, in their order. */
static void add_partials (real *sum, const real *partials, size_t stride, size_t width, chunking c,
                          const layer_run *run)
{
  for (size_t chunk = 0; chunk < chunk_count (c); chunk++)
    run->train->add_rows (sum, partials + chunk * stride, 1, width);
}

void layer_embed (real *x, const int32_t *ids, const real *wte, const real *wpe, size_t N, size_t T,
                  size_t C)
{
  for (size_t n = 0; n < N; n++) {
    const real *token = wte + (size_t)ids[n] * C, *position = wpe + n % T * C;
    for (size_t c = 0; c < C; c++)
      x[n * C + c] = token[c] + position[c];
  }
}

void layer_embed_backward (real *dwte, real *dwpe, const int32_t *ids, const real *dx, size_t N,
                           size_t T, size_t C, const layer_run *run)
{
  for (size_t n = 0; n < N; n++) {
    run->train->add_rows (dwte + (size_t)ids[n] * C, dx + n * C, 1, C);
    run->train->add_rows (dwpe + n % T * C, dx + n * C, 1, C);
  }
}

/* One layer at work on chunks of its rows. */
typedef struct {
  chunking chunks;
  const layer_run *run;
  const layer_norm_args *norm;
  attn_activation kind;
  size_t width; /* of a row */
  real *out, *partials;
  const real *x, *dout;
  const int32_t *targets;
  double *losses, factor;
} layer_work;

static void add_item (void *context, size_t chunk, int thread)
{
  const layer_work *w = context;
  size_t begin = chunk_begin (w->chunks, chunk);
  (void)thread;
  w->run->train->add_rows (w->out + begin, w->x + begin, 1, chunk_rows (w->chunks, chunk));
}

void layer_add (real *x, const real *y, size_t n, const layer_run *run)
{
  layer_work work = {.chunks = chunks_of (n), .run = run, .out = x, .x = y};
  run_chunks (work.chunks, 1, add_item, &work, run);
}

/* ---- layer norm ---- */

static void norm_item (void *context, size_t chunk, int thread)
{
  const layer_work *w = context;
  const layer_norm_args *norm = w->norm;
  size_t begin = chunk_begin (w->chunks, chunk), C = norm->C;
  (void)thread;
  for (size_t n = begin; n < begin + chunk_rows (w->chunks, chunk); n++)
    w->run->dense->norm (w->x + n * C, norm->weight, norm->bias, norm->epsilon, w->out + n * C, C);
}

void layer_norm (const layer_norm_args *norm, real *out, const real *x, const layer_run *run)
{
  layer_work work = {.chunks = chunks_of (norm->N), .run = run, .norm = norm, .out = out, .x = x};
  run_chunks (work.chunks, norm->C, norm_item, &work, run);
}

static void norm_backward_item (void *context, size_t chunk, int thread)
{
  const layer_work *w = context;
  const layer_norm_args *norm = w->norm;
  size_t C = norm->C, begin = chunk_begin (w->chunks, chunk) * C;
  real *partial = w->partials + chunk * 2 * C;
  (void)thread;
  memset (partial, 0, 2 * C * sizeof *partial);
  w->run->train->norm_backward (w->out + begin, partial, partial + C, w->dout + begin, w->x + begin,
                                norm->weight, norm->epsilon, chunk_rows (w->chunks, chunk), C);
}

void layer_norm_backward (const layer_norm_args *norm, real *dx, real *dweight, real *dbias,
                          const real *dout, const real *x, real *scratch, const layer_run *run)
{
  layer_work work = {.chunks = chunks_of (norm->N),
                     .run = run,
                     .norm = norm,
                     .out = dx,
                     .partials = scratch,
                     .x = x,
                     .dout = dout};
  run_chunks (work.chunks, norm->C, norm_backward_item, &work, run);
  add_partials (dweight, scratch, 2 * norm->C, norm->C, work.chunks, run);
  add_partials (dbias, scratch + norm->C, 2 * norm->C, norm->C, work.chunks, run);
}

/* ---- linear ---- */

void layer_linear (const layer_linear_args *linear, real *y, const real *x)
{
  size_t N = linear->N, out = linear->out;
  for (size_t n = 0; n < N; n++)
    memcpy (y + n * out, linear->bias, out * sizeof *y);
  real_gemm (false, false, N, out, linear->in, 1, x, linear->in, linear->weight, out, 1, y, out);
}

static void sum_item (void *context, size_t chunk, int thread)
{
  const layer_work *w = context;
  real *partial = w->partials + chunk * w->width;
  (void)thread;
  memset (partial, 0, w->width * sizeof *partial);
  w->run->train->add_rows (partial, w->x + chunk_begin (w->chunks, chunk) * w->width,
                           chunk_rows (w->chunks, chunk), w->width);
}

void layer_linear_backward (const layer_linear_args *linear, real *dx, real *dweight, real *dbias,
                            const real *dy, const real *x, real *scratch, const layer_run *run)
{
  size_t N = linear->N, in = linear->in, out = linear->out;
  layer_work work = {
      .chunks = chunks_of (N), .run = run, .width = out, .partials = scratch, .x = dy};
  run_chunks (work.chunks, out, sum_item, &work, run);
  add_partials (dbias, scratch, out, out, work.chunks, run);
  real_gemm (true, false, in, out, N, 1, x, in, dy, out, 1, dweight, out);
  real_gemm (false, true, N, in, out, 1, dy, out, linear->weight, out, 0, dx, in);
}

/* ---- activation ---- */

/* Of the erf form (Hendrycks and Gimpel 2016), which no bundled model uses: plain C. */
static void gelu_erf (real *out, const real *x, size_t n)
{
  const double root_half = 0.7071067811865476;
  for (size_t i = 0; i < n; i++)
    out[i] = (real)(0.5 * (double)x[i] * (1 + erf ((double)x[i] * root_half)));
}

static void gelu_erf_backward (real *dx, const real *dout, const real *x, size_t n)
{
  const double root_half = 0.7071067811865476, normal_peak = 0.3989422804014327;
  for (size_t i = 0; i < n; i++) {
    double v = (double)x[i], density = normal_peak * exp (-0.5 * v * v);
    dx[i] = (real)((double)dout[i] * (0.5 * (1 + erf (v * root_half)) + v * density));
  }
}

static void activation_item (void *context, size_t chunk, int thread)
{
  const layer_work *w = context;
  size_t begin = chunk_begin (w->chunks, chunk), n = chunk_rows (w->chunks, chunk);
  real *out = w->out + begin;
  const real *x = w->x + begin;
  (void)thread;
  switch (w->kind) {
  case ATTN_GELU_TANH:
    memcpy (out, x, n * sizeof *out);
    w->run->dense->gelu_tanh (out, n);
    break;
  case ATTN_GELU_ERF:
    gelu_erf (out, x, n);
    break;
  case ATTN_RELU:
    for (size_t i = 0; i < n; i++)
      out[i] = x[i] > 0 ? x[i] : 0;
    break;
  }
}

void layer_activation (attn_activation kind, real *out, const real *x, size_t n,
                       const layer_run *run)
{
  layer_work work = {.chunks = chunks_of (n), .run = run, .kind = kind, .out = out, .x = x};
  run_chunks (work.chunks, 1, activation_item, &work, run);
}

static void activation_backward_item (void *context, size_t chunk, int thread)
{
  const layer_work *w = context;
  size_t begin = chunk_begin (w->chunks, chunk), n = chunk_rows (w->chunks, chunk);
  real *dx = w->out + begin;
  const real *x = w->x + begin, *dout = w->dout + begin;
  (void)thread;
  switch (w->kind) {
  case ATTN_GELU_TANH:
    w->run->train->gelu_tanh_backward (dx, dout, x, n);
    break;
  case ATTN_GELU_ERF:
    gelu_erf_backward (dx, dout, x, n);
    break;
  case ATTN_RELU:
    for (size_t i = 0; i < n; i++)
      dx[i] = x[i] > 0 ? dout[i] : 0;
    break;
  }
}

void layer_activation_backward (attn_activation kind, real *dx, const real *dout, const real *x,
                                size_t n, const layer_run *run)
{
  layer_work work = {
      .chunks = chunks_of (n), .run = run, .kind = kind, .out = dx, .x = x, .dout = dout};
  run_chunks (work.chunks, 1, activation_backward_item, &work, run);
}

/* ---- loss ---- */

static void entropy_item (void *context, size_t chunk, int thread)
{
  const layer_work *w = context;
  size_t begin = chunk_begin (w->chunks, chunk);
  (void)thread;
  w->run->train->cross_entropy (w->out + begin * w->width, w->targets + begin, w->losses + begin,
                                chunk_rows (w->chunks, chunk), w->width, w->factor);
}

void layer_cross_entropy (real *logits, const int32_t *targets, double *losses, size_t N, size_t V,
                          double factor, const layer_run *run)
{
  layer_work work = {.chunks = chunks_of (N),
                     .run = run,
                     .width = V,
                     .out = logits,
                     .targets = targets,
                     .losses = losses,
                     .factor = factor};
  run_chunks (work.chunks, V, entropy_item, &work, run);
}
