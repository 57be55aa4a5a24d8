/* Verdicts: what a check or an audit found of each contract; see CLI.md for their fields. */
#ifndef VERDICT_H
#define VERDICT_H
#include "value.h"

Verdict verdict_blank(void);                 /* numbers not measured */
void verdict_clear(Verdict *v);              /* frees its texts */
Verdict verdict_copy(const Verdict *v);
bool verdict_passed(const Verdict *v);       /* hard failures and errors are no pass */
bool verdict_measured(const Verdict *v);     /* it has a violation and a tolerance */
/* What a verdict is made of, for JSON and records (IN_JSON) and for the language (IN_LANGUAGE); what only probes have is OF_PROBES. Text NULL and number NAN: there is none. */
typedef enum VerdictItemKind { ITEM_TEXT, ITEM_TREE /* JSON as text */, ITEM_REAL, ITEM_COUNT, ITEM_TRUTH } VerdictItemKind;
enum { IN_JSON = 1, IN_LANGUAGE = 2, IN_BOTH = 3, OF_PROBES = 4, VERDICT_ITEMS = 32 };
typedef struct VerdictItem { const char *name; unsigned in; VerdictItemKind kind; const char *text; double number; } VerdictItem;
int verdict_items(const Verdict *v, VerdictItem out[VERDICT_ITEMS]);         /* how many; texts are the verdict's */
/* NULL, or why such a violation judges nothing: it is a finite number, and not below 0 (rounding aside). */
const char *verdict_unusable(double violation);
const char *verdict_status_name(VerdictStatus status);       /* as CLI.md: "skipped_precondition" */
void gate_print(Buf *out, const Gate *gate);
void verdicts_print(Buf *out, const Verdict *verdicts, int n);
/* viol_max over active hard contracts and the state of the gate. */
void gate_settle(Gate *gate, const Verdict *verdicts, int n);

#endif
