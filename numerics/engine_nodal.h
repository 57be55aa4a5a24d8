/* Nodal values of a solution for host programs. */
#ifndef ENGINE_NODAL_H
#define ENGINE_NODAL_H
#include "engine.h"

Status engine_nodal(Engine *engine, Solution *solution, int unknown, NodalView *out);

#endif
