/* Every allocation of the checker fails in turn: parser, evaluator in dry mode, field expressions, weak forms, findings. What may come out is an error
 * that the host reports, or status 7; never a crash. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>
#endif

#include "../../lang/arena.h"
#include "../../runtime/pde.h"

static const char *const scripts[] = {
  "geometry square = rectangle(x: 0..1, y: 0..1)\n"
  "param k = 2.0\n"
  "pde poisson(c = 1.0) on square {\n  unknown u : scalar P2\n  field f = sin(pi*x)*y\n  -div(k*grad(u)) + c*u^3 == f\n  on left: u == x\n"
  "  on others: dot(k*grad(u), n) == 2*(1 - u)\n}\n"
  "m = mesh(square, cells: [4, 4])\ns = solve(poisson, m, c: 3)\nprint(norm(s.u), flux(s.u, left), f\"{max(s.u):.3f}\")\n"
  "check s against balance(s)\n",
  "import \"mechanics/elasticity\"\ngeometry plate { outer = rectangle(x: 0..2, y: 0..1); hole = disk(center: (1, 0.5), radius: 0.2); shape = outer - hole }\n"
  "pde e on plate {\n  unknown u : vector P1\n  div(stress(u, 10, 0.3)) == (0, 1)\n  on outer.left: u == 0\n}\n"
  "fn g(a) { if a > 1 { return a } else { return [a, 2] } }\nfor i in 0..2 { print(g(i)) }\ntest \"t\" { assert 1 < 2 }\n",
  "geometry g = interval(0, 1)\npde p on g {\n  unknown u : scalar\n  lap(u) == v\n  on lefft: u == 0\n}\nx = (1 +\ny = 2 [m] + 3 [s]\n",
};

static int check(const char *text, long n) {
  pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    alarm(60);                               /* a loop without end is a failure too */
#ifdef __SANITIZE_ADDRESS__
    __lsan_disable();                        /* a process that ends for want of memory frees nothing */
#endif
    for (int k = 1; k < NSIG; k++) signal(k, SIG_DFL);      /* cmocka would go on with the next test */
    if (!freopen("/dev/null", "w", stderr)) _exit(99);
    memory_fail_at(n);
    pde_host *host = pde_open(NULL);
    if (!host) _exit(7);
    int status = pde_check_string(host, text, "memory.pde");
    bool done = !memory_armed();
    memory_fail_at(0);
    pde_close(host);
    _exit(done ? status : 100 + status);      /* 100: n lies beyond the last allocation */
  }
  int status;
  assert_int_equal(waitpid(child, &status, 0), child);
  if (!WIFEXITED(status)) fail_msg("allocation %ld: signal %d", n, WTERMSIG(status));
  return WEXITSTATUS(status);
}

static void everywhere(const char *text, int usual) {
  int refused = 0;
  for (long n = 1;; n += 1 + n/100) {         /* each one at first, then one in a hundred of those before */
    int status = check(text, n);
    if (status == 100 + usual) break;
    refused += status == 7;
    if (status != 7 && status != usual) fail_msg("allocation %ld: status %d", n, status);
  }
  assert_true(refused > 5);
}

static void right_scripts(void **state) {
  (void)state;
  everywhere(scripts[0], 0);
  everywhere(scripts[1], 0);
}

static void wrong_script(void **state) {
  (void)state;
  everywhere(scripts[2], 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(right_scripts), cmocka_unit_test(wrong_script)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
