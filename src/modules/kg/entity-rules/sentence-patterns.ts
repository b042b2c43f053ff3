/** What is between two names in an English sentence, and how they then belong together; `turned`: the second to the first. */
const BETWEEN: readonly { readonly pattern: RegExp; readonly relation: string; readonly turned?: boolean }[] = [
  { relation: 'founded', turned: true, pattern: /\b(?:was|were|is) (?:founded|established|set up|started) by\b/u },
  {
    relation: 'created',
    turned: true,
    pattern: /\b(?:was|were|is|been) (?:made|written|built|designed|developed|invented|proposed|drawn) by\b/u,
  },
  { relation: 'owns', turned: true, pattern: /\b(?:was|is) (?:owned|bought|acquired|taken over) by\b/u },
  { relation: 'leads', turned: true, pattern: /\b(?:is|was) (?:led|headed|run|managed|directed|chaired) by\b/u },
  { relation: 'founded', pattern: /\b(?:founded|established|set up|co-founded)\b/u },
  { relation: 'owns', pattern: /\b(?:owns|owned|acquired|bought|took over)\b/u },
  {
    relation: 'leads',
    pattern:
      /\b(?:leads|led|heads|headed|manages|managed|directs|directed|chairs|chaired)\b|, (?:the )?(?:head|director|chief|manager|chair|president|captain) of\b/u,
  },
  {
    relation: 'works_for',
    pattern: /\b(?:works|worked|working) (?:for|at|with)\b|\b(?:joined|is employed by|was hired by)\b/u,
  },
  {
    relation: 'created',
    pattern:
      /\b(?:wrote|developed|designed|built|invented|released|made|makes|produces|introduced|proposed|published)\b/u,
  },
  { relation: 'supplies', pattern: /\b(?:supplies|supplied|delivers|delivered|sells|sold)\b/u },
  { relation: 'uses', pattern: /\b(?:uses|used|runs on|relies on|depends on)\b/u },
  { relation: 'replaces', pattern: /\b(?:replaces|replaced|succeeds|succeeded)\b/u },
  {
    relation: 'part_of',
    pattern: /\b(?:is|are|was|were) (?:a )?(?:part|member|branch|unit|division|subsidiary) of\b|\bbelongs to\b/u,
  },
  {
    relation: 'located_in',
    pattern:
      /\b(?:is|are|was|lies|stands) (?:based |located |situated )?(?:in|at|near)\b|^(?:,| of)? ?(?:in|at|near) (?:the )?$|^, $/u,
  },
];

const MOST_BETWEEN = 80;

/** How two names that follow one another in an English sentence belong together; null where no pattern says. */
export function relationBetween(
  between: string,
  from: { readonly type: string },
  to: { readonly type: string },
): { readonly relation: string; readonly turned: boolean } | null {
  if (between.length > MOST_BETWEEN || from.type === 'date' || to.type === 'date') return null;
  if (/[.;:!?]|\bnot\b|\bnever\b/u.test(between)) return null;
  const found = BETWEEN.find(({ pattern }) => pattern.test(between));
  if (found === undefined) return null;
  if (found.relation === 'located_in' && (to.type !== 'place' || from.type === 'person')) return null;
  return { relation: found.relation, turned: found.turned ?? false };
}
