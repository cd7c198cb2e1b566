#include "attention/panel.h"

#include <float.h>
#include <math.h>

#include "base/size.h"

void panel_see (panel_view *p, const attn_attention *a)
{
  p->any = (kern_range){a->Nk, 0};
  p->all = (kern_range){0, a->Nk};
  for (size_t r = 0; r < p->rows; r++) {
    kern_range range = visible_range (a, p->i0 + r);
    p->range[r] = range;
    p->all.lo = size_max (p->all.lo, range.lo);
    p->all.hi = size_min (p->all.hi, range.hi);
    if (range.lo < range.hi) {
      p->any.lo = size_min (p->any.lo, range.lo);
      p->any.hi = size_max (p->any.hi, range.hi);
    }
  }
}

kern_range panel_visible (const panel_view *p, const kern_attention *kernel, kern_range block)
{
  return (kern_range){size_max (block.lo, p->any.lo / kernel->columns * kernel->columns),
                      size_min (block.hi, p->any.hi)};
}

kern_range panel_keys (const panel_view *p, const attn_attention *a, const kern_attention *kernel,
                       kern_range block)
{
  kern_range keys = panel_visible (p, kernel, block);
  /* Scores come by whole groups; the keys after the last visible one are hidden. */
  if (keys.lo < keys.hi)
    keys.hi = size_min (size_ceil_div (keys.hi, kernel->columns) * kernel->columns, a->Nk);
  return keys;
}

static bool all_see (const panel_view *p, kern_range keys)
{
  return p->all.lo <= keys.lo && keys.hi <= p->all.hi;
}

kern_visibility panel_cut (const panel_view *p, const kern_attention *kernel, kern_range keys,
                           kern_visibility by_mask, char *bias)
{
  return all_see (p, keys) ? by_mask : kernel->hide (p->range, p->rows, keys.lo, keys.hi, bias);
}

/* hide_part -- bias of KEYS by mask and ranges. */
static kern_visibility hide_part (const panel_view *p, const kern_page *page,
                                  const kern_attention *kernel, kern_range keys, char *bias)
{
  if (keys.lo >= keys.hi)
    return KERN_PLAIN;
  kern_visibility by_mask = kernel->mask (page, p->i0, p->rows, keys.lo, keys.hi, bias);
  return panel_cut (p, kernel, keys, by_mask, bias);
}

kern_visibility panel_hide (const panel_view *p, const attn_attention *a, const kern_page *page,
                            const kern_attention *kernel, kern_range keys, char *bias,
                            kern_range *plain)
{
  const size_t row = kernel->lanes * element_bytes (a), columns = kernel->columns;
  *plain = (kern_range){0, 0};
  if (page->mask_kind != ATTN_MASK_NONE)
    return hide_part (p, page, kernel, keys, bias);
  if (all_see (p, keys))
    return KERN_PLAIN;

  /* Whole groups before the first and after the last key that every row sees. */
  size_t left = size_min (size_ceil_div (p->all.lo, columns) * columns, keys.hi);
  left = size_max (left, keys.lo);
  size_t right = size_max (p->all.hi / columns * columns, left);
  hide_part (p, page, kernel, (kern_range){keys.lo, left}, bias);
  hide_part (p, page, kernel, (kern_range){right, keys.hi}, bias + (right - keys.lo) * row);
  *plain = (kern_range){left - keys.lo, size_min (right, keys.hi) - keys.lo};
  return KERN_BIASED;
}

bool scores_in_range (const attn_attention *a, double largest_q, double largest_k)
{
  const bool single = a->type == ATTN_F32;
  const double max = single ? FLT_MAX : DBL_MAX, min = single ? FLT_MIN : DBL_MIN;
  const double epsilon = single ? FLT_EPSILON : DBL_EPSILON;
  const double scale = fabs (a->scale) * KERN_LOG2E, d = (double)a->d;
  return (scale == 0 || scale >= min) && scale * largest_q <= max && scale <= max &&
         scale * largest_q * largest_k * d <= max / 4 &&
         largest_k * d * min * epsilon <= epsilon / 64;
}

bool products_in_range (const attn_attention *a, double largest_dy, double largest_v)
{
  const double max = a->type == ATTN_F32 ? FLT_MAX : DBL_MAX;
  const double product = largest_dy * largest_v * (double)a->dv;
  return product <= max / 8 && product * fabs (a->scale) <= max / 8;
}
