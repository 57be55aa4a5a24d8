/* Memory bandwidth of one core, GB/s: a[i] = b[i] + 3 c[i] over arrays beyond every cache (McCalpin's STREAM triad), 24 bytes an entry; best of ten. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int main(void) {
  long n = 20000000;
  double *a = malloc(8 * n), *b = malloc(8 * n), *c = malloc(8 * n), best = 1e9;
  for (long i = 0; i < n; i++) a[i] = 0, b[i] = 1, c[i] = 2;
  for (int k = 0; k < 10; k++) {
    struct timespec from, to;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
    for (long i = 0; i < n; i++) a[i] = b[i] + 3 * c[i];
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
    double s = (double)(to.tv_sec - from.tv_sec) + 1e-9 * (double)(to.tv_nsec - from.tv_nsec);
    if (s < best) best = s;
  }
  printf("%.2f\n", a[n / 2] == 7 ? 24e-9 * (double)n / best : 0);
  return 0;
}
