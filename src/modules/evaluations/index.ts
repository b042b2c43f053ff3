export { EvaluationsModule, EvaluationWorkModule } from './evaluations.module.js';
