/* The arguments of contracts and packs. */
#ifndef CONTRACT_BIND_H
#define CONTRACT_BIND_H
#include "eval.h"

const char *param_type(const Param *p);                 /* the word after the colon, or "any" */
bool param_accepts(const Param *p, const Value *v);
/* Binds the arguments of a call in a scope. first: the value of the first argument where it is known already, or NULL; of a contract that is only named,
 * its first parameter. false after a report. */
bool contract_bind(Eval *ev, const Function *f, const Ast *call, Value *first, Scope *scope);

#endif
