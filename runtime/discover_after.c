/* After the sealed score: what the report says beyond it. */
#include "discover_internal.h"

Status discover_after(Discover *d, const DiscoverCandidate *candidate, const Trajectory whole[SEAL_FILES], Json *report) {
  (void)d;
  (void)candidate;
  (void)whole;
  (void)report;
  return 0;
}
