export { DEFAULT_MIN_SCORE, detect } from './detect.js';
export type { DetectOptions } from './detect.js';
export { ENTITY_TYPES, SEVERITIES } from './finding.js';
export type { EntityType, Finding, Severity } from './finding.js';
