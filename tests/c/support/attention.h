/* Attention problems for tests, and what is right for them. */
#ifndef TEST_SUPPORT_ATTENTION_H
#define TEST_SUPPORT_ATTENTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "attn/attention.h"

/* How a matrix lies in memory. */
typedef enum {
  LAYOUT_COLUMNS,        /* column-major, leading dimension larger than needed, unaligned */
  LAYOUT_COLUMNS_PACKED, /* column-major, contiguous */
  LAYOUT_ROWS,           /* row-contiguous, all pages side by side, as heads of a token */
  LAYOUT_SPREAD,         /* neither stride is 1 */
  LAYOUTS
} layout_kind;

/* A matrix of pages in memory of its own, with other elements around and between its own. */
typedef struct {
  attn_view view;
  char *memory;    /* owned */
  size_t elements; /* of memory */
  size_t rows, columns, pages[ATTN_PAGE_DIMS], size;
} test_matrix;

typedef struct {
  attn_attention call;
  test_matrix q, k, v, y, w, mask;
} test_problem;

/* long_double_is_wide -- whether long double adds more digits than double; not so on some
 * processors, nor under valgrind, where it cannot judge the last digits of double. */
bool long_double_is_wide (void);

/* random_u32, random_real -- the next of a sequence; the second lies in [-1, 1). */
uint32_t random_u32 (uint64_t *state);
double random_real (uint64_t *state);

/* matrix_get, matrix_set -- element (i, j) of page P, counted in the order of the dimensions. */
double matrix_get (const test_matrix *m, size_t p, size_t i, size_t j);
void matrix_set (const test_matrix *m, size_t p, size_t i, size_t j, double value);

/* problem_create -- given type, sizes and pages (kv_pages divide pages), everything laid out as
 * LAYOUT says and Q, K and V random; Y and W wanted.  Paired with problem_free. */
void problem_create (test_problem *t, attn_type type, const size_t sizes[4],
                     const size_t pages[ATTN_PAGE_DIMS], const size_t kv_pages[ATTN_PAGE_DIMS],
                     layout_kind layout, uint64_t *state);
void problem_free (test_problem *t);

/* problem_mask -- a random mask of KIND; where broadcasting, all rows, columns or pages share. */
typedef enum { MASK_FULL, MASK_ONE_ROW, MASK_ONE_COLUMN, MASK_ONE_PAGE, MASK_SHAPES } mask_shape;
void problem_mask (test_problem *t, attn_mask_kind kind, mask_shape shape, uint64_t *state);

/* problem_visible -- whether query i of page p may see key j, by the text of attention.h. */
bool problem_visible (const test_problem *t, size_t p, size_t i, size_t j);

/* problem_run -- fills the outputs with a mark, runs, and expects success and no write beside the
 * outputs. */
void problem_run (test_problem *t, const attn_run *run);

/* problem_check -- Y and W against the formula in long double; NaN where the formula has NaN. */
void problem_check (const test_problem *t);

/* problem_error -- largest error of Y relative to the largest |Y|. */
double problem_error (const test_problem *t);

#endif
