export { TABLE_CONFIDENCE, TABLE_CONFIDENCE_BESIDE_PROSE } from '../table-decision.js';
