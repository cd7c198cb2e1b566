#include "train/parameters.h"

#include <math.h>

#include "base/alloc.h"
#include "model/layout.h"

/* Tensors before, in and behind the blocks in the order of model/layout.h. */
enum { BEFORE = 2, BLOCK = 12, BEHIND = 2 };

attn_status parameter_map_create (parameter_map *map, const attn_gpt2_config *config,
                                  attn_error *err)
{
  *map = (parameter_map){.count = gpt2_tensor_count (config)};
  if (!gpt2_parameters (config, &map->elements))
    return attn_fail (err, ATTN_E_RANGE, "config: the sizes of the model overflow");
  map->list = attn_alloc (map->count, sizeof *map->list);
  if (map->list == NULL)
    return attn_no_memory (err, "the list of tensors", map->count, sizeof *map->list);
  size_t offset = 0;
  for (size_t i = 0; i < map->count; i++) {
    gpt2_tensor shape = gpt2_tensor_at (config, i);
    map->list[i] = (tensor){offset, shape.shape[0] * shape.shape[1], shape.dims == 2};
    offset += map->list[i].size;
  }
  return ATTN_OK;
}

void parameter_map_free (parameter_map *map)
{
  attn_free (map->list);
  *map = (parameter_map){0};
}

size_t parameter_outer (const parameter_map *map, outer_tensor which)
{
  return (size_t)which < BEFORE ? (size_t)which : map->count - BEHIND + (size_t)which - BEFORE;
}

size_t parameter_inner (block_tensor which, size_t layer)
{
  return BEFORE + layer * BLOCK + (size_t)which;
}

/* random_normal -- Box and Muller 1958, the cosine branch. */
static double random_normal (attn_random *random)
{
  double u = 1.0 - attn_random_uniform (random); /* (0, 1]: the logarithm is finite */
  double v = attn_random_uniform (random);
  return sqrt (-2.0 * log (u)) * cos (6.283185307179586 * v);
}

static void fill_normal (const tensor *t, real *block, double deviation, attn_random *random)
{
  for (size_t j = 0; j < t->size; j++)
    block[t->offset + j] = (real)(deviation * random_normal (random));
}

static void fill_constant (const tensor *t, real *block, real value)
{
  for (size_t j = 0; j < t->size; j++)
    block[t->offset + j] = value;
}

void parameter_fill_fresh (const parameter_map *map, real *block, size_t L, attn_random *random)
{
  const double deviation = 0.02, residual = deviation / sqrt (2.0 * (double)L);
  for (size_t i = 0; i < map->count; i++) {
    if (map->list[i].matrix)
      fill_normal (&map->list[i], block, deviation, random);
    else
      fill_constant (&map->list[i], block, 0);
  }
  for (size_t layer = 0; layer < L; layer++) {
    fill_constant (&map->list[parameter_inner (NORM1_W, layer)], block, 1);
    fill_constant (&map->list[parameter_inner (NORM2_W, layer)], block, 1);
    fill_normal (&map->list[parameter_inner (PROJ_W, layer)], block, residual, random);
    fill_normal (&map->list[parameter_inner (FCPROJ_W, layer)], block, residual, random);
  }
  fill_constant (&map->list[parameter_outer (map, NORMF_W)], block, 1);
}

void parameter_fill_sinusoids (const parameter_map *map, real *block, size_t C, double amplitude)
{
  const tensor *positions = &map->list[parameter_outer (map, WPE)];
  for (size_t j = 0; j < positions->size; j++) {
    const size_t c = j % C;
    double angle = (double)(j / C) / pow (10000, (double)(c - c % 2) / (double)C);
    block[positions->offset + j] = (real)(amplitude * (c % 2 == 0 ? sin (angle) : cos (angle)));
  }
}
