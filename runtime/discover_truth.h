/* What of a truth a law has found, by canonical fields: those that act alike, and the rest. Only the report after a submission asks. */
#ifndef DISCOVER_TRUTH_H
#define DISCOVER_TRUTH_H
#include "../lang/law.h"
#include "json.h"

typedef struct Truth {
  int match[LAW_FIELDS];       /* of each field of the truth: the law's field that acts alike, or -1 */
  Json *report;                /* relation, text, extra, missing, split, missing_dependence */
} Truth;

void truth_compare(const Law *law, const Law *truth, Truth *out);

#endif
