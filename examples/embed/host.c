/* A program that hosts the pde language: it gives a script a function and a parameter, runs it, and reads a number and a field back.
 *
 *   cc host.c $(pkg-config --cflags --libs pde) -o host && ./host
 */
#include <math.h>
#include <pde.h>
#include <stdio.h>

static const char channel[] =
  "param strength = 1\n"
  "geometry duct = rectangle(x: 0..2, y: 0..1)\n"
  "pde heat on duct {\n"
  "  unknown T : scalar P2\n"
  "  -lap(T) == 0\n"
  "  on left:   T == strength*profile(y)\n"
  "  on right:  T == 0\n"
  "  on others: dot(grad(T), n) == 0\n"
  "}\n"
  "sol = solve(heat, mesh(duct, cells: [32, 16]))\n"
  "mean_left = integral(sol.T, on: duct.left)\n"
  "check sol against max(sol.T) <= 10\n"
  "print(\"mean temperature on the left side\", mean_left)\n";

/* n points at a time: args[0][i] is y at point i. */
static int profile(void *user, int n, const double *const *args, double *const *out) {
  (void)user;
  for (int i = 0; i < n; i++) out[0][i] = 4 * args[0][i] * (1 - args[0][i]);
  return 0;
}

static void print_output(void *user, const char *text, size_t len) {
  (void)user;
  fwrite(text, 1, len, stdout);
}

static void print_message(void *user, int severity, const char *text) {
  (void)user;
  (void)severity;
  fputs(text, stderr);
}

int main(void) {
  pde_host *host = pde_open(&(pde_options){.jit = PDE_JIT_AUTO, .on_output = print_output, .on_message = print_message});
  if (!host) return 1;
  pde_define(host, "profile", "(y: real) -> real", profile, NULL);
  pde_set(host, "strength", 3);
  pde_status status = pde_run_string(host, channel, "channel.pde");
  double mean;
  if (status == PDE_OK && pde_number(host, "mean_left", &mean) == PDE_OK) printf("read back: %.6f\n", mean);
  pde_value *sol = pde_get(host, "sol");
  pde_field_view T;
  if (sol && pde_field(sol, "T", &T) == PDE_OK) {
    double most = -INFINITY;
    for (size_t i = 0; i < T.nodes; i++) most = fmax(most, T.values[i]);
    printf("%zu nodes in %d dimensions, at most %.6f\n", T.nodes, T.dim, most);
  }
  pde_release(sol);
  pde_close(host);
  return status;
}
