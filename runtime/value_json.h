/* Values, verdicts and diagnostics as JSON, as CLI.md describes them. */
#ifndef VALUE_JSON_H
#define VALUE_JSON_H
#include "host.h"
#include "json.h"

Json *value_to_json(const Value *v);                          /* {"kind", "unit", "value"}; owned */
Json *verdict_to_json(const Verdict *verdict);
Json *diag_to_json(const SourceMap *sources, const Diag *diag);

#endif
