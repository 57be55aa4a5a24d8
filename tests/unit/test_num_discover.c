/* Scores of a workspace from C: what is charged, what a kill and a second process do to it, the same bits in any company. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../../runtime/discover.h"
#include "law_lab.h"

enum { N = 20, NT = 40, BUDGET = 6 };

/* ---- a system: u_t = 0.02 lap u, exact waves, noise ---- */

static uint32_t seed;
static double next_uniform(void) { return (double)(seed = (uint32_t)((uint64_t)16807 * seed % 2147483647u)) / 2147483647.; }
static double next_normal(void) { double u = next_uniform(); return sqrt(-2 * log(u)) * cos(6.283185307179586 * next_uniform()); }

static void write_trajectory(const char *path, uint32_t from, bool other_end) {
  ArrayFile file = {0};
  double kx[6], ky[6], phase[6], size[6];
  size_t shape[3] = {NT, N, N};
  seed = from;
  for (int m = 0; m < 6; m++) {
    double k = 6.283185307179586 * (0.4 + 1.3 * next_uniform()), a = 6.283185307179586 * next_uniform();
    kx[m] = k * cos(a), ky[m] = k * sin(a), phase[m] = 6.283185307179586 * next_uniform(), size[m] = next_normal();
  }
  for (int k = 0; k < 3; k++) {
    NamedArray *axis = arrays_add(&file, (const char *[]){"t", "y", "x"}[k], 1);
    axis->rank = 1;
    axis->shape[0] = shape[k];
    axis->values = malloc(sizeof(double) * shape[k]);
    for (size_t i = 0; i < shape[k]; i++) axis->values[i] = (double)i / (double)(shape[k] - 1);
  }
  NamedArray *u = arrays_add(&file, "u", 1);
  u->rank = 3;
  memcpy(u->shape, shape, sizeof shape);
  u->values = malloc(sizeof(double) * NT * N * N);
  for (int q = 0; q < NT; q++) {
    if (other_end && q >= 30) seed += 17;
    for (int j = 0; j < N; j++)
      for (int i = 0; i < N; i++) {
        double t = q / (NT - 1.), x = i / (N - 1.), y = j / (N - 1.), value = 0;
        for (int m = 0; m < 6; m++) value += size[m] * exp(-0.02 * (kx[m] * kx[m] + ky[m] * ky[m]) * t) * cos(kx[m] * x + ky[m] * y + phase[m]);
        u->values[(q * N + j) * N + i] = value + 0.02 * next_normal();
      }
  }
  Diags diags = {0};
  assert_int_equal(npz_write(path, &file, &diags, (Span){0, 0}), 0);
  arrays_free(&file);
}

/* ---- a workspace ---- */

static char root[64], dir[96], *data[2];
static Host *host;
static LawLab space;

static int open_world(void **state) {
  strcpy(root, "/tmp/pde-discover-XXXXXX");
  if (!mkdtemp(root)) return -1;
  setenv("XDG_STATE_HOME", root, 1);
  for (int k = 0; k < 2; k++) {
    data[k] = malloc(96);
    snprintf(data[k], 96, "%s/%c.npz", root, "AB"[k]);
    write_trajectory(data[k], k ? 29 : 11, false);
  }
  host = host_new();
  lab_open(state);
  space = law_lab(2);
  return 0;
}

static int close_world(void **state) {
  char command[96];
  lab_close(state);
  host_free(host);
  for (int k = 0; k < 2; k++) free(data[k]);
  snprintf(command, sizeof command, "rm -rf %s", root);
  return system(command);
}

static void fail_with_report(void) {
  for (int i = 0; i < host->diags.n; i++) print_message("# %s\n", host->diags.items[i]->message);
  fail();
}

static void make(const char *name) {
  WorkspaceSpec spec = {.discovery = "d", .declaration = "discovery d { }", .state = "u", .dim = 2, .path = data, .npaths = 2, .budget = BUDGET};
  snprintf(dir, sizeof dir, "%s/%s", root, name);
  if (workspace_make(host, &spec, dir)) fail_with_report();
}

static Discover *join(void) {
  Discover *d;
  if (discover_open(host, dir, &d)) fail_with_report();
  return d;
}

static const char *const texts[] = {"C0*(uxx+uyy)", "dx(C0*ux)+dy(C0*uy)", "C0*(uxx+uyy)+C1*u", "C0*ux+C1*uy", "C0*uxx+C1*uyy", "X0*(uxx+uyy)", "0*uxx", "C0*u**3", "C0*tanh(u)"};
enum { TEXTS = sizeof texts / sizeof *texts };

static DiscoverCandidate candidate(const char *text) {
  static LawFault fault;
  Law *law = lab_law_or(&space, text, &fault);
  return (DiscoverCandidate){.law = law, .fault = &fault, .name = text, .text = text};
}

static void score(Discover *d, int first, int n, DiscoverAnswer *answer) {
  DiscoverCandidate list[TEXTS];
  for (int k = 0; k < n; k++) list[k] = candidate(texts[(first + k) % TEXTS]);
  if (discover_score(d, n, list, false, answer)) fail_with_report();
  for (int k = 0; k < n; k++) law_free((Law *)list[k].law);
}

static double used(Discover *d) {
  DiscoverCounts counts;
  assert_int_equal(discover_counts(d, &counts), 0);
  assert_true(counts.limit == BUDGET);
  return counts.used;
}

static bool same(const DiscoverAnswer *a, const DiscoverAnswer *b) { return !strcmp(a->id, b->id) && a->score == b->score && a->error_ab == b->error_ab && a->error_ba == b->error_ba; }

static double exact(Discover *d, const char *id) {
  StoreRows rows;
  assert_int_equal(store_select(discover_workspace(d)->store, "SELECT value FROM scores WHERE candidate = ? AND name = 'exact.score'", &(Cell){CELL_TEXT, 0, id}, 1, &rows), 0);
  assert_int_equal(rows.nrows, 1);
  double value = store_cell(&rows, 0, 0)->number;
  store_rows_free(&rows);
  return value;
}

/* ---- tests ---- */

static void test_charges(void **state) {
  make("charges");
  Discover *d = join();
  DiscoverAnswer a, b, list[TEXTS];
  score(d, 0, 1, &a);
  assert_true(a.valid && a.charged == 1 && !a.cached && a.rank == 1 && a.score > 0 && a.score < 0.5 && a.fields == 1 && used(d) == 1);
  assert_true(fabs(exact(d, a.id) / a.score - 1) < 1e-5 && exact(d, a.id) != a.score);
  DiscoverCandidate twin = candidate("2*uyy*C3+C3*(uxx+uxx)");
  assert_int_equal(discover_score(d, 1, &twin, false, &b), 0);
  law_free((Law *)twin.law);
  assert_true(same(&a, &b) && b.cached && !b.charged && used(d) == 1);
  score(d, 6, 1, &b);
  assert_true(b.score == 1 && b.rank == 2 && b.fields == 0);
  score(d, 0, TEXTS, list);      /* seven are new, four may be */
  int charged = 0;
  for (int k = 0; k < TEXTS; k++) charged += list[k].charged;
  assert_true(charged == 4 && used(d) == 6);
  assert_true(list[0].cached && list[6].cached && !list[7].valid && list[7].code == E4042 && list[8].code == E4042 && !list[7].charged);
  discover_close(d);
}

/* A batch, single candidates in another order, another process, one after a crash: the same bits. */
static void test_bits(void **state) {
  DiscoverAnswer batch[5], one;
  double bits[5];
  make("batch");
  Discover *d = join();
  score(d, 0, 5, batch);
  for (int k = 0; k < 5; k++) bits[k] = exact(d, batch[k].id);
  discover_close(d);
  make("singles");
  d = join();
  for (int k = 4; k >= 0; k--) {
    if (k == 2) discover_close(d), d = join();      /* what was evaluated before is not at hand */
    score(d, k, 1, &one);
    assert_true(same(&one, &batch[k]) && exact(d, one.id) == bits[k]);
  }
  discover_close(d);
}

static void test_invalid(void **state) {
  make("invalid");
  Discover *d = join();
  DiscoverAnswer a;
  LawFault fault = {.code = E4005, .found = "0.5 is a free constant"};
  DiscoverCandidate c = {.fault = &fault, .name = "h", .text = "dt(u) == 0.5*u"}, zero = candidate("C0*(u-u)+C1*u");
  for (int k = 0; k < 2; k++) assert_int_equal(discover_score(d, 1, &c, false, &a), 0);
  assert_true(!a.valid && a.code == E4005 && !*a.id && used(d) == 0);
  DiscoverCounts counts;
  assert_int_equal(discover_counts(d, &counts), 0);
  assert_int_equal(counts.invalid, 1);
  if (zero.law) law_free((Law *)zero.law);
  discover_close(d);
}

/* Killed at many moments of a score: at most one is charged, and the next process finds it free or done. */
static void test_kill(void **state) {
  make("kill");
  for (int k = 0; k < 12; k++) {
    pid_t child = fork();
    if (!child) {
      DiscoverAnswer a;
      close(2);
      score(join(), 0, 1, &a);
      _exit(0);
    }
    nanosleep(&(struct timespec){0, 4000000L << (k / 2)}, NULL);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
  }
  Discover *d = join();
  DiscoverAnswer a, b;
  score(d, 0, 1, &a);
  assert_true(a.valid && used(d) == 1);
  score(d, 0, 1, &b);
  assert_true(same(&a, &b) && b.cached && used(d) == 1);
  discover_close(d);
}

static void test_two_processes(void **state) {
  make("two");
  pid_t child[3];
  for (int k = 0; k < 3; k++)
    if (!(child[k] = fork())) {
      DiscoverAnswer a[4];
      Discover *d = join();
      score(d, k, 4, a);
      for (int i = 0; i < 4; i++)
        if (!a[i].valid) _exit(1);
      _exit(0);
    }
  for (int k = 0; k < 3; k++) {
    int status;
    waitpid(child[k], &status, 0);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
  Discover *d = join();
  assert_true(used(d) == 6);
  StoreRows rows;
  assert_int_equal(store_select(discover_workspace(d)->store, "SELECT COUNT(*), COUNT(DISTINCT candidate) FROM scores WHERE name = 'score'", NULL, 0, &rows), 0);
  assert_true(store_cell(&rows, 0, 0)->number == 6 && store_cell(&rows, 0, 1)->number == 6);
  store_rows_free(&rows);
  discover_close(d);
}

/* What is sealed opens as it was committed, and only so. */
static void test_seal(void **state) {
  Seal seal;
  Trajectory whole[2];
  make("seal");
  Discover *d = join();
  assert_int_equal(seal_read(host, discover_workspace(d)->commitment, &seal), 0);
  assert_int_equal(seal_open(host, &seal, 2, whole), 0);
  assert_true(whole[0].nt == NT && seal.start[3] == 30);
  for (int k = 0; k < 2; k++) trajectory_free(&whole[k]);
  char kept[96];
  snprintf(kept, sizeof kept, "%s.kept", data[1]);
  rename(data[1], kept);
  write_trajectory(data[1], 29, true);
  assert_int_equal(seal_open(host, &seal, 2, whole), 1);
  assert_int_equal(diags_last_error(&host->diags)->code, E4044);
  strcpy(seal.file[1].sha256, "");
  assert_true(seal_digest(data[1], seal.file[1].sha256));
  assert_int_equal(seal_open(host, &seal, 2, whole), 1);      /* a forged manifest does not open the commitment */
  diags_clear(&host->diags);
  rename(kept, data[1]);
  seal_free(&seal);
  discover_close(d);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_kill), cmocka_unit_test(test_two_processes), cmocka_unit_test(test_charges),
      cmocka_unit_test(test_bits), cmocka_unit_test(test_invalid),       cmocka_unit_test(test_seal),
  };
  return cmocka_run_group_tests(tests, open_world, close_world);
}
