export { TABLE_CONFIDENCE, TABLE_CONFIDENCE_BESIDE_PROSE } from '../tables/table-decision.js';
