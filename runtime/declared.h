/* Declared discoveries and hypotheses as the interface of a workspace takes them, and the workspaces that a script's discoveries have. */
#ifndef DECLARED_H
#define DECLARED_H
#include "discover.h"
#include "eval.h"

/* What a workspace is made from; freed by declared_spec_free. false after a report: a trajectory may not be read. */
bool declared_spec(Eval *ev, const Value *discovery, WorkspaceSpec *out);
void declared_spec_free(WorkspaceSpec *spec);
DiscoverCandidate declared_candidate(const Value *hypothesis);       /* borrows from it */

/* The workspace of a discovery of the running script: --run DIR, else NAME.run where the script writes its files. Made at first use; one that is there has to
 * be of the same declaration (E4041). NULL after a report; the host closes it. */
Discover *declared_workspace(Eval *ev, const Value *discovery, Span span);
struct Store *declared_store(Host *host, Name discovery);              /* of its workspace, where that is open; NULL */
void declared_forget(Host *host);      /* closes them */

#endif
