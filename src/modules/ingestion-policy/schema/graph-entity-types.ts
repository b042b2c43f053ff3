/** Kinds of entities that a policy may name: those that can be recognised from a text. */
export const GRAPH_ENTITY_TYPES = ['person', 'organisation', 'place', 'product', 'term', 'date'] as const;
export type GraphEntityType = (typeof GRAPH_ENTITY_TYPES)[number];
