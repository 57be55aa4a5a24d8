/* Between the parts of the evaluator: weak rows and their Gram blocks (hei_weak.c), the cache that keeps them (hei_cache.c), fits (hei_fit.c). */
#ifndef HEI_INTERNAL_H
#define HEI_INTERNAL_H
#include <pthread.h>

#include "hei.h"
#include "hei_denoise.h"

/* Test functions and field functions on an axis of space. An axis of one node has the constant for both. */
typedef struct HeiWeakAxis {
  int n, ntests, nfield[2];          /* functions of a field that does not ([0]: 1) or does ([1]) depend on this axis */
  double *test;                      /* [ntests][n], each of norm 1 on the nodes */
  double *field[2];                  /* [n][nfield]; [0]: ones */
  int npairs[2], (*pair[2])[2];      /* tests and field functions that meet */
  double *product[2][3];             /* [npairs][n]: test times field function, derivative 0..2 of it; of [0] only the first */
  double *bend, *mass, *slope;       /* [nfield[1]]^2: second differences, mean products on the nodes times nfield[1], first differences */
} HeiWeakAxis;

/* A linear operator on one field, or (domain 0) a combination of features. */
typedef struct HeiTerm { unsigned domain; int n; HeiPart *part; int nparts; } HeiTerm;    /* n coefficients */

enum { HEI_MAX_THREADS = 64 };
typedef enum HeiCellKind { HEI_AVERAGE, HEI_ROWS, HEI_GRAM } HeiCellKind;
typedef struct HeiCell { HeiCellKind kind; int a, b, trajectory, interval; double *data; size_t bytes; long used; bool made; } HeiCell;
typedef struct HeiCache {
  HeiCell **cell; int n, room;
  size_t bytes; long clock;
  long since[HEI_MAX_THREADS];       /* the clock when a user entered that is still here, 0: none */
  pthread_mutex_t lock;
  pthread_cond_t made;
} HeiCache;

enum { HEI_ALL_INTERVALS = HEI_INTERVALS + 1 };               /* with the sealed one, which an evaluator has only where that is scored */

struct Hei {
  HeiOptions options;
  int nintervals, start[HEI_ALL_INTERVALS + 1];
  HeiAxis axis[3];                   /* x, y, t */
  HeiSmooth smooth[2];
  HeiPrepared prepared[2];
  unsigned char *lost[2];            /* [nodes][snapshots] 1: missing, and too far from what was measured; while it is opened. NULL: nowhere */
  HeiWeakAxis weak[2];
  int ntime;                         /* test functions over time, of each interval */
  double *theta[HEI_ALL_INTERVALS];      /* [ntime][snapshots] */
  double *time[HEI_ALL_INTERVALS][2];    /* [ntime][axis[2].nbasis]: theta against the smoother's basis, and its derivative */
  int nrows, ninner;                 /* rows of a trajectory and interval; first those whose test is not at a side */
  int *place;                        /* [ntime][weak[0].ntests][weak[1].ntests]: number of the row */
  double *weight[2][HEI_ALL_INTERVALS];                         /* [nrows]; 0: the row looks at too many values that are missing */
  double *penalty[4];                /* by domain, [n]^2, of mean diagonal 1; NULL: a constant has none */
  HeiFeature *feature; int nfeatures;
  HeiTerm *term; int nterms;
  HeiCache cache;
};

Hei *hei_open_sealed(const Hei *hei, const HeiData *data, int end, HeiOutcome *outcome);      /* hei.c: hei_close it */

enum { HEI_RATE = 0 };               /* feature and term of u_t */

/* hei_prepare.c: what the smoother is given, and what it left. */
HeiOutcome hei_prepare(Hei *hei, const HeiData *data);        /* axes, smooth, prepared, lost */
/* hei_missing.c: u[nodes][stride] without holes, the caller's; the holes as the smoother sees them. NULL: there are none. */
double *hei_fill(const HeiAxis *axis, const double *u, int stride, long missing);
unsigned char *hei_lost(const HeiAxis *axis, const int *reach, const double *u, int stride);
void hei_lost_rows(const Hei *hei, int trajectory, int interval, double *share);     /* [ntime][tests][tests]: how much of each test lies where values are lost */

/* hei_cache.c: blocks by what they are. *make: the caller has to fill data[n] and to call hei_cell_made; else it is filled. Blocks are used between enter and
 * leave; leaving frees what was used longest ago and by nobody who is still here, and nothing else frees blocks. */
void hei_cache_open(HeiCache *cache);
void hei_cache_close(HeiCache *cache);
int hei_cache_enter(HeiCache *cache);
void hei_cache_leave(HeiCache *cache, int place, size_t budget);
HeiCell *hei_cell(HeiCache *cache, HeiCellKind kind, int a, int b, int trajectory, int interval, size_t n, bool *make);
void hei_cell_made(HeiCache *cache, HeiCell *cell);

/* The numbers of a candidate's terms, which are registered by it: before threads share hei. known -1: there is none. */
typedef struct HeiLaw { int nfields, term[HEI_MAX_FIELDS], known; } HeiLaw;
HeiOutcome hei_resolve(Hei *hei, const HeiCandidate *candidate, HeiLaw *law);

/* hei_weak.c */
HeiOutcome hei_weak_open(Hei *hei, const HeiData *data);   /* HEI_MISSING */
void hei_weak_close(Hei *hei);
int hei_term(Hei *hei, unsigned domain, const HeiPart *part, int nparts);
const double *hei_rows(Hei *hei, int term, int trajectory, int interval);      /* [nrows][n], weighed */
/* [n_a][n_b] over all rows, then the same over the inner rows. *transposed: it is [n_b][n_a]. */
const double *hei_gram(Hei *hei, int a, int b, int trajectory, int interval, bool *transposed);

#endif
