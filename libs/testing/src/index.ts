export {
  contextOf,
  createFormerDatabase,
  createTestDatabase,
  createTestMember,
  type TestDatabase,
  type TestMember,
} from './database.fixture.js';
export { planNodes, rowsLookedAt, type PlanNode } from './plan-rows.js';
export { inOneMoment } from './one-moment.js';
export { sentStatementsOf } from './sent-statements.js';
export { BUILTIN_MODELS } from './builtin-models.js';
