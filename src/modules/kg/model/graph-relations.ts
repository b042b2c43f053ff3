/** Relations that a chat model may name between two entities. The first ten are those that rules find. */
export const MODEL_RELATIONS = [
  'founded',
  'created',
  'owns',
  'leads',
  'works_for',
  'supplies',
  'uses',
  'replaces',
  'part_of',
  'located_in',
  'lives_in',
  'member_of',
  'works_with',
  'causes',
  'happened_on',
] as const;
export type ModelRelation = (typeof MODEL_RELATIONS)[number];
