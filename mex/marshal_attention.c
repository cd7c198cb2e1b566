#include "marshal_attention.h"

#include <math.h>
#include <stdio.h>

#include "base/size.h"

static const char *const names[ATTENTION_INPUTS_MAX] = {"Q", "K", "V", "dY"};

/* ---- options ---- */

static double read_number (const mxArray *value, const char *name)
{
  if (!marshal_is_number (value))
    marshal_fail (ATTN_E_TYPE, "%s must be one real number; got %s of class %s", name,
                  marshal_shape (value).text, marshal_class (value).text);
  return marshal_number (value);
}

static void read_heads (attention_request *r, const mxArray *value)
{
  double heads = read_number (value, "NumHeads");
  if (!(heads >= 1 && heads == trunc (heads) && heads <= 0x1p53))
    marshal_fail (ATTN_E_RANGE, "NumHeads must be a whole number from 1; got %s",
                  marshal_decimal (heads).text);
  r->heads = (size_t)heads;
}

static void read_scale (attention_request *r, const mxArray *value)
{
  r->scale = read_number (value, "Scale");
  if (!isfinite (r->scale))
    marshal_fail (ATTN_E_RANGE, "Scale must be finite; got %s", marshal_decimal (r->scale).text);
}

static void read_window (attention_request *r, const mxArray *value)
{
  if (!marshal_is_float (value) || mxGetNumberOfElements (value) != 2)
    marshal_fail (ATTN_E_TYPE, "Window must be two numbers [left right]; got %s of class %s",
                  marshal_shape (value).text, marshal_class (value).text);
  const void *data = mxGetData (value);
  for (int i = 0; i < 2; i++)
    r->window[i] = mxIsSingle (value) ? ((const float *)data)[i] : ((const double *)data)[i];
  double left = r->window[0], right = r->window[1];
  if (!(left >= 0 && left == trunc (left) && right >= 0 && right == trunc (right)))
    marshal_fail (ATTN_E_RANGE, "Window must hold whole numbers from 0, or Inf; got [%s %s]",
                  marshal_decimal (left).text, marshal_decimal (right).text);
}

static void read_mask (attention_request *r, const mxArray *value)
{
  if (!marshal_is_float (value) && !(mxIsLogical (value) && !mxIsSparse (value)))
    marshal_fail (ATTN_E_TYPE,
                  "Mask must be a full real array of class logical, double or single; got class %s",
                  marshal_class (value).text);
  r->mask = value;
}

static const struct {
  const char *lower, *name;
  void (*read) (attention_request *, const mxArray *);
} options[] = {{"numheads", "NumHeads", read_heads},
               {"mask", "Mask", read_mask},
               {"scale", "Scale", read_scale},
               {"window", "Window", read_window}};

/* read_option -- the option ARGS[i] with its value; the index of the argument behind it. */
static int read_option (attention_request *r, int nargs, const mxArray *args[], int i)
{
  if (marshal_is_name (args[i], "causal")) {
    bool valued = i + 1 < nargs && marshal_is_flag (args[i + 1]);
    r->causal = !valued || marshal_flag (args[i + 1]);
    return i + 1 + valued;
  }
  for (size_t o = 0; o < sizeof options / sizeof *options; o++)
    if (marshal_is_name (args[i], options[o].lower)) {
      if (i + 1 == nargs)
        marshal_fail (ATTN_E_OPTION, "option '%s' needs a value", options[o].name);
      options[o].read (r, args[i + 1]);
      return i + 2;
    }
  size_t bytes;
  marshal_fail (ATTN_E_OPTION,
                "unknown option '%s'; the options are 'causal', 'NumHeads', 'Mask', 'Scale' and "
                "'Window'",
                marshal_text (args[i], "an option", &bytes));
}

static void read_options (attention_request *r, int nargs, const mxArray *args[])
{
  bool counted = false;
  for (int i = r->inputs; i < nargs;) {
    if (marshal_is_number (args[i])) {
      if (counted)
        marshal_fail (ATTN_E_OPTION, "argument %d is a second number of heads", i + 1);
      counted = true;
      read_heads (r, args[i++]);
    } else if (marshal_is_text (args[i])) {
      i = read_option (r, nargs, args, i);
    } else {
      marshal_fail (ATTN_E_OPTION,
                    "argument %d must be the name of an option or the number of heads; got %s of "
                    "class %s (a mask is given as 'Mask', M)",
                    i + 1, marshal_shape (args[i]).text, marshal_class (args[i]).text);
    }
  }
}

/* ---- sizes ---- */

static void check_float (const mxArray *x, const char *name)
{
  if (marshal_is_float (x))
    return;
  const char *convert = NULL;
  if (mxIsNumeric (x) && mxIsSparse (x))
    convert = "full";
  else if (mxIsLogical (x) || (mxIsNumeric (x) && !mxIsDouble (x) && !mxIsSingle (x)))
    convert = "double";
  char advice[64] = "";
  if (convert != NULL)
    snprintf (advice, sizeof advice, " (convert it with %s (%s))", convert, name);
  marshal_fail (ATTN_E_TYPE,
                "%s must be a full real array of class double or single; got class %s%s", name,
                marshal_class (x).text, advice);
}

static size_t dim (const mxArray *x, size_t i)
{
  return i < (size_t)mxGetNumberOfDimensions (x) ? (size_t)mxGetDimensions (x)[i] : 1;
}

static void check_sizes (const attention_request *r)
{
  const mxArray *inputs[] = {r->q, r->k, r->v};
  for (int n = 0; n < 3; n++)
    if (mxGetNumberOfDimensions (inputs[n]) > ATTENTION_INPUT_DIMS)
      marshal_fail (ATTN_E_SIZE,
                    "%s must have at most 4 dimensions (tokens, columns, heads, batches); it is %s",
                    names[n], marshal_shape (inputs[n]).text);
  if (dim (r->k, 0) != dim (r->v, 0))
    marshal_fail (ATTN_E_SIZE,
                  "K and V must have the same number of rows, one for each token; K is %s and V is "
                  "%s",
                  marshal_shape (r->k).text, marshal_shape (r->v).text);
  bool same = true, divides = true;
  for (size_t t = 2; t < ATTENTION_INPUT_DIMS; t++) {
    size_t q = dim (r->q, t), k = dim (r->k, t);
    same = same && k == dim (r->v, t);
    divides = divides && (k > 0 ? q % k == 0 : q == 0);
  }
  if (!same)
    marshal_fail (ATTN_E_SIZE, "K and V must have the same pages; K is %s and V is %s",
                  marshal_shape (r->k).text, marshal_shape (r->v).text);
  if (!divides)
    marshal_fail (ATTN_E_SIZE, "the pages of K and V must divide those of Q; Q is %s and K is %s",
                  marshal_shape (r->q).text, marshal_shape (r->k).text);
}

/* heads_of_keys -- heads in the columns of K when Q has H heads of d columns. */
static size_t heads_of_keys (const attention_request *r, size_t H, size_t d)
{
  size_t columns = dim (r->k, 1);
  if (H == 1 && columns != d)
    marshal_fail (ATTN_E_SIZE, "Q and K must have the same number of columns; Q is %s and K is %s",
                  marshal_shape (r->q).text, marshal_shape (r->k).text);
  size_t heads = d > 0 ? columns / d : H;
  if (heads * d != columns || heads == 0 || H % heads != 0)
    marshal_fail (
        ATTN_E_SIZE,
        "K must have %zu columns a head and a number of heads that divides NumHeads = %zu;"
        " Q is %s and K is %s",
        d, H, marshal_shape (r->q).text, marshal_shape (r->k).text);
  return heads;
}

/* split_heads -- sizes and pages of the call.  Heads given by number follow one another in the
 * columns, so they are the first page dimension of the same memory. */
static void split_heads (attention_request *r, attn_attention *a, attn_type type)
{
  size_t H = r->heads > 0 ? r->heads : 1;
  if (dim (r->q, 1) % H != 0)
    marshal_fail (ATTN_E_SIZE, "NumHeads must divide the columns of Q; NumHeads is %zu and Q is %s",
                  H, marshal_shape (r->q).text);
  size_t d = dim (r->q, 1) / H, kv_heads = heads_of_keys (r, H, d);
  if (dim (r->v, 1) % kv_heads != 0)
    marshal_fail (ATTN_E_SIZE, "the %zu heads of K must divide the columns of V; V is %s", kv_heads,
                  marshal_shape (r->v).text);
  attn_attention_init (a, type, dim (r->q, 0), dim (r->k, 0), d, dim (r->v, 1) / kv_heads);

  size_t page = 0;
  r->w_dims[0] = a->Nq;
  r->w_dims[1] = a->Nk;
  if (r->heads > 0) {
    a->pages[page] = H;
    a->kv_pages[page++] = kv_heads;
  }
  for (size_t t = 2; t < ATTENTION_INPUT_DIMS; t++) {
    a->pages[page] = dim (r->q, t);
    a->kv_pages[page++] = dim (r->k, t);
  }
  for (size_t t = 0; t < page; t++)
    r->w_dims[2 + t] = a->pages[t];
  r->w_ndims = 2 + page;
  r->y_dims[0] = a->Nq;
  r->y_dims[1] = a->dv * H;
  r->y_dims[2] = dim (r->q, 2);
  r->y_dims[3] = dim (r->q, 3);
  attn_attention_pack_pages (a);
}

/* ---- mask ---- */

/* is_binary -- a numeric mask of 0 and 1 with at least one 1. */
static bool is_binary (const mxArray *mask)
{
  const void *data = mxGetData (mask);
  size_t count = mxGetNumberOfElements (mask);
  bool single = mxIsSingle (mask), one = false;
  for (size_t i = 0; i < count; i++) {
    double x = single ? ((const float *)data)[i] : ((const double *)data)[i];
    if (x != 0 && x != 1)
      return false;
    one = one || x == 1;
  }
  return one;
}

static void bind_mask (const attention_request *r, attn_attention *a)
{
  size_t strides[ATTENTION_W_DIMS] = {0}, elements = 1;
  size_t ndims = size_max (r->w_ndims, (size_t)mxGetNumberOfDimensions (r->mask));
  for (size_t t = 0; t < ndims; t++) {
    size_t given = dim (r->mask, t), wanted = t < r->w_ndims ? r->w_dims[t] : 1;
    if (given != wanted && given != 1)
      marshal_fail (ATTN_E_SIZE, "Mask must be %s, or 1 in some of these dimensions; it is %s",
                    marshal_dims (r->w_ndims, r->w_dims).text, marshal_shape (r->mask).text);
    if (t < ATTENTION_W_DIMS)
      strides[t] = given == 1 ? 0 : elements;
    elements *= given;
  }
  a->mask_kind = mxIsLogical (r->mask)  ? ATTN_MASK_LOGICAL
                 : mxIsSingle (r->mask) ? ATTN_MASK_F32
                                        : ATTN_MASK_F64;
  a->mask = (attn_view){
      mxGetData (r->mask), strides[0], strides[1], {strides[2], strides[3], strides[4]}};
  if (a->mask_kind != ATTN_MASK_LOGICAL && is_binary (r->mask))
    mexWarnMsgIdAndTxt ("attention:binary-mask", "%s",
                        "Mask is numeric and holds only 0 and 1: it is added to the scores; for "
                        "true = may attend, pass logical (Mask)");
}

/* ---- the call ---- */

/* check_dy -- the gradient by Y has the size of Y. */
static void check_dy (const attention_request *r)
{
  bool same = mxGetNumberOfDimensions (r->dy) <= ATTENTION_INPUT_DIMS;
  for (size_t t = 0; t < ATTENTION_INPUT_DIMS; t++)
    same = same && dim (r->dy, t) == r->y_dims[t];
  if (!same)
    marshal_fail (ATTN_E_SIZE, "dY must have the size of Y, %s; it is %s",
                  marshal_dims (ATTENTION_INPUT_DIMS, r->y_dims).text, marshal_shape (r->dy).text);
}

static size_t window_size (double tokens)
{
  return tokens < 0x1p62 ? (size_t)tokens : ATTN_WINDOW_NONE;
}

void attention_read (attention_request *r, attn_attention *a, int inputs, int nargs,
                     const mxArray *args[])
{
  *r = (attention_request){.q = args[0],
                           .k = args[1],
                           .v = args[2],
                           .dy = inputs > 3 ? args[3] : NULL,
                           .inputs = inputs,
                           .scale = NAN,
                           .window = {INFINITY, INFINITY}};
  for (int n = 0; n < inputs; n++) {
    check_float (args[n], names[n]);
    r->single = r->single || mxIsSingle (args[n]);
  }
  read_options (r, nargs, args);
  check_sizes (r);
  split_heads (r, a, r->single ? ATTN_F32 : ATTN_F64);
  if (r->dy != NULL)
    check_dy (r);
  if (r->mask != NULL)
    bind_mask (r, a);
  if (!isnan (r->scale))
    a->scale = r->scale;
  a->causal = r->causal;
  a->window_left = window_size (r->window[0]);
  a->window_right = window_size (r->window[1]);
  a->q.data = marshal_floats (r->q, "Q", r->single);
  a->k.data = marshal_floats (r->k, "K", r->single);
  a->v.data = marshal_floats (r->v, "V", r->single);
}
