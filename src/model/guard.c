#include "model/guard.h"

void model_guard_enter (const attn_gpt2 *model)
{
  for (size_t i = 0; i < model->file_count; i++)
    mapped_file_enter (&model->files[i]);
}

void model_guard_leave (const attn_gpt2 *model)
{
  for (size_t i = 0; i < model->file_count; i++)
    mapped_file_leave (&model->files[i]);
}

attn_status model_guard_check (const attn_gpt2 *model, attn_error *err)
{
  attn_status status = ATTN_OK;
  for (size_t i = 0; i < model->file_count && status == ATTN_OK; i++)
    status = mapped_file_check (&model->files[i], err);
  return status;
}
