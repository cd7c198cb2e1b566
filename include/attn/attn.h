/* Everything public in one include. */
#ifndef ATTN_ATTN_H
#define ATTN_ATTN_H

#include "attn/status.h"
#include "attn/attention.h"
#include "attn/tokenizer.h"
#include "attn/gpt2.h"
#include "attn/train.h"
#include "attn/train_tokenizer.h"

#endif
