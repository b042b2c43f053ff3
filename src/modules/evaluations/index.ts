export { EvaluationsModule, EvaluationWorkModule } from './evaluations.module.js';
export { EVALUATION_COMPLETED, type EvaluationCompleted } from './evaluations.events.js';
