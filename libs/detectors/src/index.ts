export { DEFAULT_MIN_SCORE, detect } from './detect.js';
export type { DetectOptions } from './detect.js';
export { MASK, maskJson, maskSpans, maskText, spansIn } from './mask.js';
export type { Span } from './mask.js';
export { DETECTORS_VERSION, ENTITY_TYPES, SEVERITIES } from './finding.js';
export type { EntityType, Finding, Severity } from './finding.js';
