/* Probes drawn from the domain of a map: every sample draws each of its probes independently. In box mode numbers are uniform in their ranges; histories
 * are members of the bank and bounded mixtures of them (Mixture), all histories of a probe with the same coefficients. */
#ifndef DRAW_H
#define DRAW_H
#include <stdint.h>

#include "trace.h"

/* Probe `probe` of sample `sample`, the same whatever else is drawn: row[spec->width]. a[spec->nbank], if not NULL: its coefficients. */
void draw_row(const MapSpec *spec, uint64_t seed, long sample, int probe, double *row, double *a);
/* n samples of nprobes probes, from sample `first` on: rows[n][nprobes][width]. */
void draw_rows(const MapSpec *spec, int nprobes, uint64_t seed, long first, int n, double *rows);
/* Probes of a trace: as above, or, where one of its models knows recorded cases alone, among these. */
bool draw_is_recorded(const Trace *trace);
void draw_probes(const Trace *trace, int nprobes, uint64_t seed, long first, int n, double *rows);

#endif
