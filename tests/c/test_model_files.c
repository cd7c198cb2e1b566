/* The files of a model as things that are no files, and files that change while they are read: an
 * error each time, never a wait, and never the end of the process. */
#define _DEFAULT_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>
#include <cmocka.h>

#include "attn/train.h"
#include "support/folder.h"
#include "support/model.h"

enum { PATIENCE = 60, T = 24 }; /* seconds for one test; tokens of a text */

static const char weights[] = "model.safetensors";

/* ---- things that are no files ---- */

typedef void maker (const char *path);

static void make_folder (const char *path)
{
  assert_int_equal (mkdir (path, 0700), 0);
}

static void make_pipe (const char *path)
{
  assert_int_equal (mkfifo (path, 0600), 0);
}

static void make_socket (const char *path)
{
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  int s = socket (AF_UNIX, SOCK_STREAM, 0);
  assert_true (s >= 0 && strlen (path) < sizeof address.sun_path);
  memcpy (address.sun_path, path, strlen (path) + 1);
  assert_int_equal (bind (s, (const struct sockaddr *)&address, sizeof address), 0);
  close (s);
}

static void make_endless (const char *path)
{
  assert_int_equal (symlink ("/dev/zero", path), 0);
}

static void make_empty_device (const char *path)
{
  assert_int_equal (symlink ("/dev/null", path), 0);
}

static void make_dangling (const char *path)
{
  assert_int_equal (symlink ("nowhere", path), 0);
}

static void make_loop (const char *path)
{
  assert_int_equal (symlink (path, path), 0);
}

static void make_secret (const char *path)
{
  int descriptor = open (path, O_CREAT | O_WRONLY, 0);
  assert_true (descriptor >= 0);
  close (descriptor);
}

static void make_empty (const char *path)
{
  int descriptor = open (path, O_CREAT | O_WRONLY, 0644);
  assert_true (descriptor >= 0);
  close (descriptor);
}

/* More than any memory, and no byte of it on the disk. */
static void make_huge (const char *path)
{
  make_empty (path);
  assert_int_equal (truncate (path, (off_t)1 << 42), 0);
}

static void check_kinds (const char *from, const char *const *names, size_t count)
{
  static const struct {
    maker *make;
    const char *text;
  } kinds[] = {{make_folder, "is a folder, expected a file"},
               {make_pipe, "is no regular file, expected a file"},
               {make_socket, "is no regular file, expected a file"},
               {make_endless, "is no regular file, expected a file"},
               {make_empty_device, "is no regular file, expected a file"},
               {make_dangling, ""},
               {make_loop, ""},
               {make_secret, "ermission"},
               {make_empty, ""},
               {make_huge, ""}};
  char folder[FOLDER_PATH], path[FOLDER_PATH];
  folder_create (folder);
  folder_copy (from, folder);
  assert_int_equal (chmod (folder, 0755), 0);
  for (size_t n = 0; n < count; n++) {
    size_t bytes;
    char *data = folder_read (folder, names[n], &bytes);
    file_path (path, folder, names[n]);
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
      attn_gpt2 *model;
      attn_error err = {""};
      bool secret = kinds[k].make == make_secret;
      assert_int_equal (unlink (path), 0);
      kinds[k].make (path);
      alarm (PATIENCE);
      if (!secret || as_nobody (1)) {
        attn_status status = attn_gpt2_open (&model, folder, &err);
        bool known = status == ATTN_E_MODEL_NOT_FOUND || status == ATTN_E_MODEL_CORRUPT;
        if (!known || strstr (err.text, kinds[k].text) == NULL || err.text[0] == '\0')
          fail_msg ("%s as kind %zu: status %d, '%s'", names[n], k, (int)status, err.text);
        assert_null (model);
      }
      if (secret)
        as_nobody (0);
      alarm (0);
      if (kinds[k].make == make_folder) {
        assert_int_equal (rmdir (path), 0);
        make_empty (path);
      }
    }
    assert_int_equal (unlink (path), 0);
    folder_write (folder, names[n], data, bytes);
    free (data);
  }
  attn_gpt2 *model = model_open (folder);
  attn_gpt2_close (&model);
  folder_remove (folder);
}

static void test_no_files (void **state)
{
  (void)state;
  static const char *const single[] = {"config.json", "vocab.json", "merges.txt", weights};
  static const char *const sharded[] = {"model.safetensors.index.json",
                                        "model-00002-of-00002.safetensors"};
  check_kinds (MODELS "plain_f32", single, 4);
  check_kinds (MODELS "sharded_f16", sharded, 2);
}

/* ---- files that change while they are read ---- */

/* A copy of plain_f32, its weights, and the right logits of a text. */
typedef struct {
  char folder[FOLDER_PATH], path[FOLDER_PATH];
  char *data;
  size_t bytes;
  int32_t ids[T];
  float *logits; /* of T tokens */
} model_copy;

static attn_status logits_of (const attn_gpt2 *model, const int32_t *ids, float *logits,
                              const attn_run *run, attn_error *err)
{
  attn_gpt2_request request = {.logits = logits};
  return attn_gpt2_forward (model, ids, T, NULL, &request, run, err);
}

static void copy_create (model_copy *copy)
{
  folder_create (copy->folder);
  folder_copy (MODELS "plain_f32", copy->folder);
  file_path (copy->path, copy->folder, weights);
  copy->data = folder_read (copy->folder, weights, &copy->bytes);
  for (int t = 0; t < T; t++)
    copy->ids[t] = 7 * t + 3;
  attn_gpt2 *model = model_open (MODELS "plain_f32");
  copy->logits = malloc (T * model->config.V * sizeof (float));
  assert_non_null (copy->logits);
  assert_int_equal (logits_of (model, copy->ids, copy->logits, NULL, NULL), ATTN_OK);
  attn_gpt2_close (&model);
}

static void copy_free (model_copy *copy)
{
  folder_remove (copy->folder);
  free (copy->data);
  free (copy->logits);
}

static void copy_restore (const model_copy *copy)
{
  folder_write (copy->folder, weights, copy->data, copy->bytes);
}

/* assert_pass -- a pass gives the right numbers, or EXPECTED with TEXT in the message. */
static void assert_pass (const model_copy *copy, const attn_gpt2 *model, attn_status expected,
                         const char *text, const attn_run *run)
{
  size_t bytes = T * model->config.V * sizeof (float);
  float *logits = malloc (bytes);
  attn_error err = {""};
  assert_non_null (logits);
  attn_status status = logits_of (model, copy->ids, logits, run, &err);
  if (status != expected || strstr (err.text, text) == NULL)
    fail_msg ("status %d, expected %d; got '%s', expected '%s'", (int)status, (int)expected,
              err.text, text);
  if (status == ATTN_OK)
    assert_memory_equal (logits, copy->logits, bytes);
  free (logits);
}

/* What happens to a file, and what the error is to say. */
typedef struct {
  const char *text;
  long bytes;     /* >= 0: cut to so many; -1: a byte is written to; -2: replaced; -3: removed */
  bool times_set; /* the time of modification is set back afterwards */
} change;

static void change_make (const model_copy *copy, const change *how)
{
  struct stat info;
  assert_int_equal (stat (copy->path, &info), 0);
  if (how->bytes >= 0)
    assert_int_equal (truncate (copy->path, how->bytes), 0);
  if (how->bytes == -1) {
    int descriptor = open (copy->path, O_WRONLY);
    assert_true (descriptor >= 0);
    assert_int_equal (pwrite (descriptor, "\177", 1, (off_t)copy->bytes / 2), 1);
    close (descriptor);
  }
  if (how->bytes == -2) {
    folder_write (copy->folder, "fresh", "other", 5);
    char fresh[FOLDER_PATH];
    file_path (fresh, copy->folder, "fresh");
    assert_int_equal (rename (fresh, copy->path), 0);
  }
  if (how->bytes == -3)
    assert_int_equal (unlink (copy->path), 0);
  if (how->times_set) {
    const struct timespec times[2] = {info.st_atim, info.st_mtim};
    assert_int_equal (utimensat (AT_FDCWD, copy->path, times, 0), 0);
  }
}

static const change damages[] = {
    {"became shorter", 0, false},     {"became shorter", 1, false},
    {"became shorter", 4096, false},  {"became shorter", 50000, false},
    {"became shorter", 98304, false}, {"became shorter", 102071, false}, /* of 102072 */
    {"was written to", -1, false},    {"was written to", -1, true},
};

/* A tick of the clock that times of files are taken from. */
static void next_tick (void)
{
  usleep (20000);
}

static void test_between_passes (void **state)
{
  (void)state;
  model_copy copy;
  copy_create (&copy);
  assert_int_equal (copy.bytes, 102072);
  for (size_t i = 0; i < sizeof damages / sizeof damages[0]; i++) {
    next_tick ();
    attn_gpt2 *model = model_open (copy.folder);
    assert_pass (&copy, model, ATTN_OK, "", NULL);
    assert_int_equal (attn_gpt2_changed (model), 0);
    next_tick ();
    change_make (&copy, &damages[i]);
    assert_pass (&copy, model, ATTN_E_MODEL_CORRUPT, damages[i].text, NULL);
    assert_int_not_equal (attn_gpt2_changed (model), 0);
    copy_restore (&copy);
    assert_pass (&copy, model, ATTN_E_MODEL_CORRUPT, "", NULL); /* until it is opened anew */
    assert_int_not_equal (attn_gpt2_changed (model), 0);
    attn_gpt2_close (&model);
    model = model_open (copy.folder);
    assert_pass (&copy, model, ATTN_OK, "", NULL);
    attn_gpt2_close (&model);
  }
  copy_free (&copy);
}

/* Called from the middle of a pass: makes the change when it is asked for the COUNTDOWN-th time. */
typedef struct {
  const model_copy *copy;
  const change *how;
  int countdown;
} in_between;

static int change_now (void *data)
{
  in_between *plan = data;
  if (plan->countdown-- == 0)
    change_make (plan->copy, plan->how);
  return 0;
}

/* polls_of_a_pass -- how often one on a single thread asks. */
static int polls_of_a_pass (const model_copy *copy)
{
  in_between plan = {.countdown = -1};
  attn_run run = {.threads = 1, .interrupted = change_now, .interrupted_data = &plan};
  attn_gpt2 *model = model_open (copy->folder);
  assert_pass (copy, model, ATTN_OK, "", &run);
  attn_gpt2_close (&model);
  return -1 - plan.countdown;
}

static void test_in_a_pass (void **state)
{
  (void)state;
  model_copy copy;
  copy_create (&copy);
  const int polls = polls_of_a_pass (&copy);
  const struct {
    int countdown, threads;
  } moments[] = {{0, 1}, {0, 3}, {polls / 2, 1}, {polls - 1, 1}};
  for (size_t i = 0; i < sizeof damages / sizeof damages[0]; i++)
    for (size_t m = 0; m < sizeof moments / sizeof moments[0]; m++) {
      next_tick ();
      attn_gpt2 *model = model_open (copy.folder);
      next_tick ();
      in_between plan = {&copy, &damages[i], moments[m].countdown};
      attn_run run = {
          .threads = moments[m].threads, .interrupted = change_now, .interrupted_data = &plan};
      assert_pass (&copy, model, ATTN_E_MODEL_CORRUPT, damages[i].text, &run);
      assert_true (plan.countdown < 0); /* it did happen */
      assert_int_not_equal (attn_gpt2_changed (model), 0);
      attn_gpt2_close (&model);
      copy_restore (&copy);
    }
  copy_free (&copy);
}

/* A file that is replaced under its name, or removed, stays what it was to who has it open. */
static void test_replaced (void **state)
{
  (void)state;
  static const change harmless[] = {{"", -2, false}, {"", -3, false}};
  model_copy copy;
  copy_create (&copy);
  for (int i = 0; i < 4; i++) {
    attn_gpt2 *model = model_open (copy.folder);
    in_between plan = {&copy, &harmless[i % 2], 2};
    attn_run run = {.interrupted = change_now, .interrupted_data = &plan};
    if (i < 2)
      change_make (&copy, &harmless[i]);
    assert_pass (&copy, model, ATTN_OK, "", i < 2 ? NULL : &run);
    assert_int_not_equal (attn_gpt2_changed (model), 0);
    attn_gpt2_close (&model);
    model_expect_error (copy.folder,
                        harmless[i % 2].bytes == -2 ? ATTN_E_MODEL_CORRUPT : ATTN_E_MODEL_NOT_FOUND,
                        "model");
    copy_restore (&copy);
  }
  copy_free (&copy);
}

/* Generation: the tokens that were there stay, and go on being right with the file in order. */
static void test_cache (void **state)
{
  (void)state;
  model_copy copy;
  copy_create (&copy);
  next_tick ();
  attn_gpt2 *model = model_open (copy.folder);
  attn_gpt2_cache *cache;
  attn_error err;
  assert_int_equal (attn_gpt2_cache_create (&cache, model, T, NULL), ATTN_OK);
  float *logits = malloc (model->config.V * sizeof *logits);
  assert_non_null (logits);
  attn_gpt2_request request = {.logits = logits};
  for (int t = 0; t < 3; t++)
    assert_int_equal (attn_gpt2_forward (model, copy.ids + t, 1, cache, &request, NULL, NULL),
                      ATTN_OK);
  next_tick ();
  change_make (&copy, &damages[0]);
  for (int again = 0; again < 2; again++) {
    assert_int_equal (attn_gpt2_forward (model, copy.ids + 3, 1, cache, &request, NULL, &err),
                      ATTN_E_MODEL_CORRUPT);
    assert_int_equal (attn_gpt2_cache_tokens (cache), 3);
  }
  free (logits);
  attn_gpt2_cache_free (&cache);
  attn_gpt2_close (&model);
  copy_free (&copy);
}

/* Another program that cuts the file and writes it anew, again and again. */
typedef struct {
  const char *path, *data;
  size_t bytes;
  atomic_bool over;
  pthread_t thread;
} writer;

static void *write_again (void *argument)
{
  writer *w = argument;
  for (unsigned round = 0; !atomic_load (&w->over); round++) {
    if (truncate (w->path, (off_t)(round * 20000 % w->bytes)) != 0)
      return argument;
    usleep (round % 5 * 1000);
    FILE *out = fopen (w->path, "wb");
    if (out == NULL || fwrite (w->data, 1, w->bytes, out) != w->bytes)
      return argument;
    fclose (out);
    next_tick ();
  }
  return NULL;
}

static void writer_start (writer *w)
{
  assert_int_equal (pthread_create (&w->thread, NULL, write_again, w), 0);
}

static void writer_stop (writer *w)
{
  void *failed;
  atomic_store (&w->over, true);
  assert_int_equal (pthread_join (w->thread, &failed), 0);
  assert_null (failed);
}

/* Opening and passes at the same time: right numbers or the error, each of them at times. */
static void test_while_written (void **state)
{
  (void)state;
  model_copy copy;
  copy_create (&copy);
  writer w = {.path = copy.path, .data = copy.data, .bytes = copy.bytes};
  int opened = 0, right = 0, refused = 0;
  size_t bytes = T * 317 * sizeof (float);
  float *logits = malloc (bytes);
  assert_non_null (logits);
  writer_start (&w);
  for (int n = 0; n < 20000 && (right < 20 || refused < 20); n++) {
    attn_gpt2 *model;
    attn_error err;
    attn_status status = attn_gpt2_open (&model, copy.folder, &err);
    opened += status == ATTN_OK;
    while (status == ATTN_OK) {
      status = logits_of (model, copy.ids, logits, NULL, &err);
      if (status == ATTN_OK) {
        assert_memory_equal (logits, copy.logits, bytes);
        right++;
      }
    }
    if (status != ATTN_E_MODEL_CORRUPT)
      fail_msg ("status %d: %s", (int)status, err.text);
    refused++;
    attn_gpt2_close (&model);
  }
  writer_stop (&w);
  assert_true (opened > 0 && right > 0 && refused > 0);
  free (logits);
  copy_free (&copy);
}

/* A checkpoint of the model in FOLDER, into FILE of it. */
static void checkpoint_create (const char *folder, const char *file)
{
  attn_trainer *trainer;
  attn_random random;
  attn_gpt2 *model = model_open (folder);
  assert_int_equal (attn_trainer_from_model (&trainer, model, NULL), ATTN_OK);
  attn_random_seed (&random, 1);
  assert_int_equal (attn_trainer_checkpoint (trainer, &random, "note", 4, file, NULL), ATTN_OK);
  attn_trainer_free (&trainer);
  attn_gpt2_close (&model);
}

static void test_checkpoint_while_written (void **state)
{
  (void)state;
  char folder[FOLDER_PATH], file[FOLDER_PATH];
  folder_create (folder);
  file_path (file, folder, "checkpoint");
  checkpoint_create (MODELS "plain_f32", file);
  writer w = {.path = file};
  char *data = folder_read (folder, "checkpoint", &w.bytes);
  w.data = data;
  int right = 0, refused = 0;
  writer_start (&w);
  for (int n = 0; n < 20000 && (right < 20 || refused < 20); n++) {
    attn_trainer *trainer;
    attn_random random;
    attn_error err;
    void *note;
    size_t note_bytes;
    attn_status status = attn_trainer_resume (&trainer, &random, &note, &note_bytes, file, &err);
    right += status == ATTN_OK;
    refused += status != ATTN_OK;
    if (status != ATTN_OK && status != ATTN_E_MODEL_CORRUPT)
      fail_msg ("status %d: %s", (int)status, err.text);
    attn_trainer_free (&trainer);
    attn_note_free (&note);
  }
  writer_stop (&w);
  assert_true (right > 0 && refused > 0);
  free (data);
  folder_remove (folder);
}

/* Training from a model whose file is gone. */
static void test_training (void **state)
{
  (void)state;
  model_copy copy;
  attn_trainer *trainer;
  attn_error err;
  copy_create (&copy);
  next_tick ();
  attn_gpt2 *model = model_open (copy.folder);
  assert_int_equal (attn_trainer_from_model (&trainer, model, NULL), ATTN_OK);
  attn_trainer_free (&trainer);
  for (int again = 0; again < 2; again++) {
    next_tick ();
    change_make (&copy, &damages[again == 0 ? 6 : 2]);
    assert_int_equal (attn_trainer_from_model (&trainer, model, &err), ATTN_E_MODEL_CORRUPT);
    assert_null (trainer);
  }
  attn_gpt2_close (&model);
  copy_free (&copy);
}

/* valgrind lets the stack grow for a function, but not for the frame of a signal. */
static void grow_stack (void)
{
  volatile char room[1 << 20];
  for (size_t i = 0; i < sizeof room; i += 1024)
    room[i] = 0;
}

int main (void)
{
  grow_stack ();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test (test_no_files),  cmocka_unit_test (test_between_passes),
      cmocka_unit_test (test_in_a_pass), cmocka_unit_test (test_replaced),
      cmocka_unit_test (test_cache),     cmocka_unit_test (test_while_written),
      cmocka_unit_test (test_training),  cmocka_unit_test (test_checkpoint_while_written),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
