/** Kinds of entities that a policy may ask for: those that evidence in the text can tell. */
export const GRAPH_ENTITY_TYPES = ['person', 'organisation', 'place', 'product', 'term', 'date'] as const;
export type GraphEntityType = (typeof GRAPH_ENTITY_TYPES)[number];
