/* The directory of kernels: beyond its bound those used longest ago go, other files stay. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
/* cmocka wants the four above. */
#include <cmocka.h>

#include "../../numerics/cache.h"

enum { FILES = 20, SIZE = 1000 };

static char directory[] = "/tmp/pde-cache-XXXXXX";

static const char *in(const char *name) {
  static char path[256];
  snprintf(path, sizeof path, "%s/%s", directory, name);
  return path;
}

static void put(const char *name, int size, long seconds_ago) {
  FILE *file = fopen(in(name), "wb");
  assert_non_null(file);
  for (int i = 0; i < size; i++) fputc('x', file);
  fclose(file);
  struct timespec t[2] = {{.tv_sec = time(NULL) - seconds_ago}, {.tv_sec = time(NULL) - seconds_ago}};
  assert_int_equal(utimensat(0, in(name), t, 0), 0);
}

static bool there(const char *name) { return access(in(name), F_OK) == 0; }

static const char *kernel(int i) {
  static char name[40];
  snprintf(name, sizeof name, "%02d.kernel", i);
  return name;
}

static void fill(void) {
  for (int i = 0; i < FILES; i++) put(kernel(i), SIZE, 100 * (FILES - i));      /* 00 is the oldest */
}

static void oldest_go(void **state) {
  int files;
  fill();
  put("notes.txt", 5000, 1000000);
  put(".00.kernel.abcdef", 10, 2 * 24 * 3600);
  put(".01.kernel.ghijkl", 10, 60);
  cache_trim(directory, FILES * SIZE);
  assert_int_equal(cache_use(directory, &files), FILES * SIZE);
  assert_int_equal(files, FILES);
  assert_false(there(".00.kernel.abcdef"));
  assert_true(there(".01.kernel.ghijkl"));
  cache_trim(directory, 16 * SIZE);
  assert_int_equal(cache_use(directory, &files), 12 * SIZE);
  for (int i = 0; i < FILES; i++) assert_int_equal(there(kernel(i)), i >= 8);
  assert_true(there("notes.txt"));
}

/* Several processes trim at once: each kernel goes once, none of them minds. */
static void several_processes(void **state) {
  int files, status;
  fill();
  for (int p = 0; p < 4; p++)
    if (fork() == 0) {
      for (int k = FILES; k > 4; k -= 2) cache_trim(directory, k * SIZE);
      _exit(0);
    }
  for (int p = 0; p < 4; p++) {
    wait(&status);
    assert_int_equal(status, 0);
  }
  assert_true(cache_use(directory, &files) <= 6 * SIZE);
  assert_true(there(kernel(FILES - 1)));
}

static void nothing_there(void **state) {
  int files;
  assert_int_equal(cache_use("/nowhere/at/all", &files), 0);
  assert_int_equal(files, 0);
  cache_trim("/nowhere/at/all", 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(oldest_go), cmocka_unit_test(several_processes), cmocka_unit_test(nothing_there)};
  if (!mkdtemp(directory)) return 1;
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  for (int i = 0; i < FILES; i++) unlink(in(kernel(i)));
  unlink(in("notes.txt")), unlink(in(".01.kernel.ghijkl"));
  rmdir(directory);
  return failed;
}
