/* The table of this instruction set and element type. */
#include "kernel/isa/attention.h"

extern const kern_attention KERN_NAME (attention);

const kern_attention KERN_NAME (attention) = {
    .lanes = LANES,
    .columns = TILE_COLUMNS,
    .pack = KERN_NAME (pack),
    .pack_queries = KERN_NAME (pack_queries),
    .largest = KERN_NAME (largest),
    .row = KERN_NAME (row),
    .start = KERN_NAME (start),
    .mask = KERN_NAME (mask),
    .hide = KERN_NAME (hide),
    .scores = KERN_NAME (scores),
    .exponentials = KERN_NAME (exponentials),
    .average = KERN_NAME (average),
    .check = KERN_NAME (check),
    .finish = KERN_NAME (finish),
    .finish_weights = KERN_NAME (finish_weights),
    .clear_weights = KERN_NAME (clear_weights),
};
