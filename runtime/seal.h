/* The sealed interval of a discovery. Its data stay in the files that the user named: a workspace holds the other three intervals and a commitment,
 *
 *     SHA-256(salt || sealed)    salt: 32 random bytes; sealed: of each trajectory the times and then the states [nt][ny][nx] of the fourth interval,
 *                                little-endian doubles in SI, every NaN as 0x7ff8000000000000
 *
 * and a manifest outside of it, $XDG_STATE_HOME/pde/sealed/COMMITMENT.json (else ~/.local/state), readable by its owner alone: the files by absolute path
 * and SHA-256, and the salt. Only seal_open reads sealed values; submission calls it, once the run is frozen.
 * Errors: E4044 the manifest is gone, a file is gone or was changed; E2501 writing. */
#ifndef SEAL_H
#define SEAL_H
#include "../numerics/trajectory.h"
#include "host.h"

enum { SEAL_FILES = 2 };

typedef struct Seal {
  char commitment[65], salt[65];                       /* hexadecimal */
  struct { char *path; char sha256[65]; } file[SEAL_FILES];
  int start[TRAJECTORY_INTERVALS + 1];
  TrajectoryForm form; char *state;                    /* form.state is state */
} Seal;

/* Seals the fourth interval of what was read from these files: salt, commitment, manifest. */
Status seal_make(Host *host, char *const *path, const Trajectory *trajectory, int n, const TrajectoryForm *form, const int *start, Span span, Seal *out);
Status seal_read(Host *host, const char *commitment, Seal *out);
/* The whole trajectories, once files and commitment are what they were. */
Status seal_open(Host *host, const Seal *seal, int n, Trajectory *out);
void seal_free(Seal *seal);
void seal_remove(const Seal *seal);                    /* of a workspace that did not come into being: its manifest */
bool seal_digest(const char *path, char hex[65]);      /* SHA-256 of a file; false: it cannot be read, errno says why */

#endif
