export { GRAPH_ENTITY_TYPES, EXTRACTOR_VERSION } from './extracted.js';
export type { ExtractedGraph, ExtractedMention, ExtractedRelation, GraphEntityType, Passage } from './extracted.js';
export { entityKeyOf } from './entity-key.js';
export { extractGraph, extractGraphSteps } from './extract-graph.js';
