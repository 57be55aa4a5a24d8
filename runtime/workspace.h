/* The workspace of a discovery: a run record whose run.db holds the archive of candidates and the ledger, beside it what an agent works with:
 *
 *   data/NAME.npz     of each trajectory the intervals 1 to 3; the fourth is nowhere in the directory (seal.h)
 *   TASK.md           the task, the commands, the rules; LANGUAGE.md what a hypothesis may be; notes/ is the agent's own
 *   evidence/ID/      fitted fields, written when they are asked for
 *
 * It comes into being whole, under a name of its own that is then changed, or not at all. Several processes may have it open.
 * Errors: E4030 to E4038 of the data, E4040 no workspace, E4041 of another discovery, E3205 its data were changed, those of store.h and seal.h. */
#ifndef WORKSPACE_H
#define WORKSPACE_H
#include "../numerics/hei.h"
#include "ledger.h"
#include "seal.h"

typedef struct WorkspaceSpec {
  Name discovery;
  const char *declaration;           /* its text: what may not change */
  const char *script;                /* path, for the record; NULL */
  Name state; int dim;
  char *const *path; int npaths;     /* of the trajectories, as they can be opened */
  double budget;                     /* unique evaluations */
  const char *language;              /* of the candidates, as Markdown; NULL */
  Span span;                         /* of the trajectories in the declaration */
  bool shared;                       /* another process may make the same one meanwhile: that is fine */
} WorkspaceSpec;

typedef struct Workspace {
  Host *host;
  Store *store;
  Ledger *ledger;                    /* of unique_evals */
  char *dir, *discovery, *declaration, *state;
  int dim, nx, ny;
  char commitment[65];
  int start[TRAJECTORY_SEALED + 1];  /* of the intervals 1 to 3 */
  long missing[SEAL_FILES];          /* values of these that are NaN */
  bool uniform;                      /* their times come in equal steps */
  char *data[SEAL_FILES], sha256[SEAL_FILES][65];
} Workspace;

Status workspace_make(Host *host, const WorkspaceSpec *spec, const char *dir);
Status workspace_open(Host *host, const char *dir, Workspace **out);
void workspace_close(Workspace *workspace);
bool workspace_exists(const char *dir);          /* it holds a run.db */

/* The data of intervals 1 to 3 of one trajectory, compared with their SHA-256. Free by trajectory_free. */
Status workspace_data(Workspace *workspace, int which, Trajectory *out);
/* As the evaluator takes them; u of either is malloc, t and the ends are of `trajectory`. end: of the snapshots given. */
HeiData workspace_hei_data_of(const Workspace *workspace, const Trajectory *grid, double *const u[SEAL_FILES]);      /* u is made already */
HeiData workspace_hei_data(const Workspace *workspace, const Trajectory trajectory[SEAL_FILES], double *u[SEAL_FILES]);

/* workspace_text.c: what the files for an agent say. */
void workspace_task(const WorkspaceSpec *spec, const Trajectory *trajectory, const int *start, char *const *names, const char *commitment, Buf *out);
void workspace_language(const WorkspaceSpec *spec, Buf *out);

#endif
