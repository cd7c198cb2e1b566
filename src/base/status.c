#include "attn/status.h"

#include <stdarg.h>
#include <stdio.h>

const char *attn_status_id (attn_status status)
{
  switch (status) {
  case ATTN_OK:
    return "";
  case ATTN_E_SIZE:
    return "attention:size-mismatch";
  case ATTN_E_TYPE:
    return "attention:bad-type";
  case ATTN_E_OPTION:
    return "attention:bad-option";
  case ATTN_E_RANGE:
    return "attention:out-of-range";
  case ATTN_E_EMPTY_TEXT:
    return "attention:empty-text";
  case ATTN_E_TOO_LONG:
    return "attention:too-long";
  case ATTN_E_MODEL_NOT_FOUND:
    return "attention:model-not-found";
  case ATTN_E_MODEL_CORRUPT:
    return "attention:model-corrupt";
  case ATTN_E_NOMEM:
    return "attention:no-memory";
  case ATTN_E_WRITE:
    return "attention:write-failed";
  case ATTN_E_DIVERGED:
    return "attention:diverged";
  case ATTN_E_INTERRUPTED:
    return "attention:interrupted";
  }
  return "attention:internal";
}

attn_status attn_fail (attn_error *err, attn_status status, const char *format, ...)
{
  if (err != NULL) {
    va_list arguments;
    va_start (arguments, format);
    vsnprintf (err->text, sizeof err->text, format, arguments);
    va_end (arguments);
  }
  return status;
}
