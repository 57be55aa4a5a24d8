/* Probes drawn from the domain of a map: every sample draws each of its probes independently. In box mode numbers are uniform in their ranges; histories
 * are members of the bank and bounded mixtures of them (Mixture), all histories of a probe with the same coefficients. */
#ifndef DRAW_H
#define DRAW_H
#include <stdint.h>

#include "trace.h"

/* Rows of n samples of nprobes probes, [n][nprobes][spec->width]. Sample k of a seed is the same whatever n and `first` are: it is sample first + k. */
void draw_rows(const MapSpec *spec, int nprobes, uint64_t seed, long first, int n, double *rows);
/* Probes of a trace: as above, or, where one of its models knows recorded cases alone, among these. */
void draw_probes(const Trace *trace, int nprobes, uint64_t seed, long first, int n, double *rows);

#endif
