/* Beam and random search, and what they submit. */
#include "structure_search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "design.h"

const StructureOptions structure_defaults = {.method = STRUCTURE_BEAM, .budget = 64, .parents = 4, .diversify = 3, .field_price = 0.1, .stability = 0.8, .seed = 1};

static const double EARLIEST = 0.25;     /* added to all ranks: one of 0 is no reason to go on with a bad law */

typedef struct Refining { StructureSteps steps; int next; bool opened; } Refining;      /* moves of a trial, in order; those before `next` were tried */

typedef struct Search {
  StructureHunt *hunt;
  const StructureJudge *judge;
  Addition *addition; int nadditions;
  Draw draw;
  int next_grammar;                      /* additions that were tried alone */
  Refining *refining;                    /* [trials] */
} Search;

double structure_price(const StructureOptions *options, const StructureScore *score) {
  return score->error * pow(1 + options->field_price, score->fields);
}

static double price(const Search *s, int k) {
  const StructureScore *score = &s->hunt->trial[k].score;
  return score->state == STRUCTURE_SCORED ? structure_price(&s->hunt->options, score) : INFINITY;
}

static int cheapest(const Search *s) {
  int at = -1;
  for (int k = 0; k < s->hunt->n; k++)
    if (at < 0 || price(s, k) < price(s, at)) at = k;
  return at;
}

static bool over(const Search *s) { return s->hunt->end != HUNT_CONVERGED || s->hunt->scored >= s->hunt->options.budget; }

/* The number of a new trial, -1: the law is not new, or not in the language, or the search is over. */
static int try_law(Search *s, const Structure *law, int parent, const StructureStep *step) {
  StructureHunt *hunt = s->hunt;
  if (over(s)) return -1;
  StructureTrial trial = {.law = *law, .parent = parent};
  if (step) trial.move = step->move, trial.rank = step->rank, trial.measured = step->measured;
  for (int k = 0; k < hunt->n; k++)
    if (structure_equal(&hunt->trial[k].law, law)) return -1;
  s->judge->score(s->judge->user, law, &trial.score);
  if (trial.score.state == STRUCTURE_SPENT) hunt->end = HUNT_BUDGET;
  if (trial.score.state == STRUCTURE_STOPPED) hunt->end = HUNT_STOPPED;
  if (trial.score.state > STRUCTURE_FAILED) return -1;
  for (int k = 0; k < hunt->n; k++)
    if (!strcmp(hunt->trial[k].score.id, trial.score.id)) return -1;
  hunt->trial = realloc(hunt->trial, sizeof trial * (size_t)(hunt->n + 1));
  hunt->trial[hunt->n++] = trial;
  s->refining = realloc(s->refining, sizeof *s->refining * (size_t)hunt->n);
  s->refining[hunt->n - 1] = (Refining){0};
  hunt->scored += trial.score.state == STRUCTURE_SCORED;
  if (s->judge->trial) s->judge->trial(s->judge->user, hunt);
  return hunt->n - 1;
}

/* ---- the grammar --------------------------------------------------------------------------------------------------------------------------------------------------- */

/* One to as many additions as fit, each field depending on all coordinates or, one time in four, on one. */
static void sample(Search *s, Structure *law) {
  const StructureLanguage *language = &s->hunt->language;
  int wanted = 1 + draw_below(&s->draw, language->fields < 3 ? language->fields : 3);
  *law = (Structure){0};
  for (int k = 0; k < wanted; k++) {
    Structure more = *law;
    structure_join(&more, &s->addition[draw_below(&s->draw, s->nadditions)].law);
    if (structure_within(&more, language)) *law = more;
  }
  for (int k = 0; k < law->n; k++)
    if (language->dims == 2 && draw_below(&s->draw, 4) == 0) law->group[k].domain = draw_below(&s->draw, 2) ? STRUCTURE_X : STRUCTURE_Y;
}

enum { SAMPLES = 200 };                  /* draws for one new law before the grammar counts as used up */

static int explore(Search *s) {
  int at = -1;
  while (at < 0 && !over(s) && s->next_grammar < s->nadditions) at = try_law(s, &s->addition[s->next_grammar++].law, FROM_GRAMMAR, NULL);
  for (int k = 0; k < SAMPLES && at < 0 && !over(s); k++) {
    Structure law;
    sample(s, &law);
    at = try_law(s, &law, FROM_GRAMMAR, NULL);
  }
  return at;
}

/* ---- phases -------------------------------------------------------------------------------------------------------------------------------------------------------- */

static void diversify(Search *s) {
  bool seen[16] = {false};
  int families = 0;
  for (int k = 0; k < s->nadditions && families < s->hunt->options.diversify; k++) {
    if (seen[s->addition[k].family]) continue;
    int at = try_law(s, &s->addition[k].law, FROM_FAMILY, NULL);
    if (at >= 0 && s->hunt->trial[at].score.state == STRUCTURE_SCORED) seen[s->addition[k].family] = true, families++;
  }
  Structure law;
  structure_envelope(&s->hunt->language, &law);
  try_law(s, &law, FROM_ENVELOPE, NULL);
}

static int by_rank(const void *a, const void *b) {
  const StructureStep *p = a, *q = b;
  return p->rank < q->rank ? -1 : p->rank > q->rank;
}

/* Sorted; equal ranks keep their order. Of a shuffled search only what was measured has a rank. */
static void ranked(Search *s, int parent, StructureSteps *steps) {
  const StructureTrial *trial = &s->hunt->trial[parent];
  StructureEvidence evidence = {0};
  bool known = s->judge->evidence && structure_fields(&trial->law) && s->judge->evidence(s->judge->user, &trial->law, &trial->score, &evidence);
  structure_moves(&trial->law, &s->hunt->language, s->addition, s->nadditions, known ? &evidence : NULL, steps);
  for (int k = 0; k < steps->n; k++) {
    if (s->hunt->options.shuffled && !steps->step[k].measured) steps->step[k].rank = 2 + 6 * draw_uniform(&s->draw);
    steps->step[k].rank += 1e-9 * k;
  }
  qsort(steps->step, (size_t)steps->n, sizeof *steps->step, by_rank);
}

/* How late a move comes: by its rank, and by how much dearer its parent is than the best law. A law that has to pay for one field more is worth twice the rank. */
static double lateness(const Search *s, int parent, double rank) {
  enum { STEEP = 6 };
  return (EARLIEST + rank) * pow(price(s, parent) / price(s, cheapest(s)), STEEP);
}

/* Is a law among the first few by price? */
static bool in_beam(const Search *s, int k) {
  int before = 0;
  for (int i = 0; i < s->hunt->n; i++) before += price(s, i) < price(s, k) || (price(s, i) == price(s, k) && i < k);
  return before < s->hunt->options.parents && price(s, k) < INFINITY;
}

/* The parent in the beam whose next move comes first, -1: all moves of all were tried. Evidence is asked for no sooner than its moves could come. */
static int next_parent(Search *s) {
  for (;;) {
    int at = -1;
    double least = INFINITY;
    for (int k = 0; k < s->hunt->n; k++) {
      Refining *r = &s->refining[k];
      if (!in_beam(s, k) || (r->opened && r->next == r->steps.n)) continue;
      double late = lateness(s, k, r->opened ? r->steps.step[r->next].rank : 0);
      if (late < least) least = late, at = k;
    }
    if (at < 0 || s->refining[at].opened) return at;
    s->refining[at].opened = true;
    ranked(s, at, &s->refining[at].steps);
  }
}

/* One law of the grammar for so many moves. */
static void refine(Search *s) {
  double turn = 0;
  for (int parent; !over(s) && (parent = next_parent(s)) >= 0;) {
    Refining *r = &s->refining[parent];
    if (try_law(s, &r->steps.step[r->next].law, parent, &r->steps.step[r->next]) >= 0) turn += s->hunt->options.explore;
    s->refining[parent].next++;
    if (turn >= 1) turn -= 1, explore(s);
  }
}

static void search_close(Search *s) {
  for (int k = 0; k < s->hunt->n; k++) structure_steps_free(&s->refining[k].steps);
  free(s->refining), free(s->addition);
}

void structure_hunt(const StructureLanguage *language, const StructureOptions *options, const StructureJudge *judge, StructureHunt *out) {
  *out = (StructureHunt){.language = *language, .options = *options};
  Search s = {.hunt = out, .judge = judge, .draw = draw_open(options->seed, 0, 0)};
  s.addition = structure_additions(language, &s.nadditions);
  for (int k = s.nadditions - 1; k > 0 && options->shuffled; k--) {
    int other = draw_below(&s.draw, k + 1);
    Addition kept = s.addition[k];
    s.addition[k] = s.addition[other], s.addition[other] = kept;
  }
  try_law(&s, &(Structure){0}, FROM_START, NULL);
  if (options->method == STRUCTURE_BEAM) {
    diversify(&s);
    refine(&s);
  } else {
    s.next_grammar = s.nadditions;
    while (!over(&s) && explore(&s) >= 0) {}
  }
  if (out->end == HUNT_CONVERGED && out->scored >= options->budget) out->end = HUNT_BUDGET;
  out->choice = structure_choose(out, judge);
  search_close(&s);
}

void structure_try(const StructureLanguage *language, const StructureOptions *options, const StructureJudge *judge, const Structure *law, int n, StructureHunt *out) {
  *out = (StructureHunt){.language = *language, .options = *options};
  Search s = {.hunt = out, .judge = judge};
  for (int k = 0; k < n; k++) try_law(&s, &law[k], FROM_OTHERS, NULL);
  search_close(&s);
  out->choice = structure_choose(out, judge);
}

void structure_hunt_free(StructureHunt *hunt) {
  free(hunt->trial);
  *hunt = (StructureHunt){0};
}

/* ---- what to submit ------------------------------------------------------------------------------------------------------------------------------------------------ */

static const double NO_BETTER = 0.9;     /* than u_t = 0 */

static bool stable(const StructureHunt *hunt, int k) {
  return hunt->trial[k].score.state == STRUCTURE_SCORED && hunt->trial[k].score.difference < hunt->options.stability;
}

static bool cheaper(const StructureHunt *hunt, int a, int b) {
  double p = structure_price(&hunt->options, &hunt->trial[a].score), q = structure_price(&hunt->options, &hunt->trial[b].score);
  return p < q || (p == q && structure_terms(&hunt->trial[a].law) < structure_terms(&hunt->trial[b].law));
}

/* Fewer fields, then fewer terms, then the smaller error. */
static bool simpler(const StructureHunt *hunt, int a, int b) {
  const StructureTrial *p = &hunt->trial[a], *q = &hunt->trial[b];
  int terms = structure_terms(&p->law) - structure_terms(&q->law);
  if (p->score.fields != q->score.fields) return p->score.fields < q->score.fields;
  return terms ? terms < 0 : p->score.error < q->score.error;
}

static int least(const StructureHunt *hunt, bool stable_only) {
  int at = -1;
  for (int k = 0; k < hunt->n; k++)
    if (stable_only ? stable(hunt, k) : hunt->trial[k].score.state == STRUCTURE_SCORED)
      if (at < 0 || hunt->trial[k].score.error < hunt->trial[at].score.error) at = k;
  return at;
}

static int to_submit(const StructureHunt *hunt) {
  int at = -1, best_stable = least(hunt, true);
  double bar = hunt->options.within > 0 && best_stable >= 0 ? hunt->trial[best_stable].score.error * (1 + hunt->options.within) : INFINITY;
  for (int k = 0; k < hunt->n; k++)
    if (stable(hunt, k) && hunt->trial[k].score.error <= bar)
      if (at < 0 || (hunt->options.within > 0 ? simpler(hunt, k, at) : cheaper(hunt, k, at))) at = k;
  return at;
}

/* Breiman, Friedman, Olshen and Stone (1984): the smallest within one standard error of the best. */
static int by_standard_error(const StructureHunt *hunt, int best) {
  int at = best;
  double bar = hunt->trial[best].score.error + hunt->trial[best].score.deviation;
  for (int k = 0; k < hunt->n; k++) {
    const StructureScore *score = &hunt->trial[k].score, *kept = &hunt->trial[at].score;
    if (score->state != STRUCTURE_SCORED || score->error > bar) continue;
    if (score->fields < kept->fields || (score->fields == kept->fields && score->error < kept->error)) at = k;
  }
  return at;
}

StructureChoice structure_choose(const StructureHunt *hunt, const StructureJudge *judge) {
  StructureChoice out = {.submit = to_submit(hunt), .best = least(hunt, false), .one_error = -1};
  if (out.best >= 0) out.one_error = by_standard_error(hunt, out.best);
  if (out.submit < 0) return out;
  const StructureTrial *submit = &hunt->trial[out.submit];
  StructureEvidence evidence = {0};
  bool known = judge->evidence && judge->evidence(judge->user, &submit->law, &submit->score, &evidence);
  out.recommended = submit->score.error < NO_BETTER && !(known && evidence.unexplained);
  out.ceiling = known ? evidence.ceiling : 0;
  for (int k = 0; k < submit->law.n && known; k++) out.hidden |= (unsigned)evidence.hidden[k] << k;
  return out;
}
