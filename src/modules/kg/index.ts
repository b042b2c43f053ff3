export { KgModule, KgWorkModule } from './kg.module.js';
export { KG_COMPLETED, type KgCompleted } from './kg.events.js';
