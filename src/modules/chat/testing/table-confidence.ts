import { calibrate, TABLE_FIT, TABLE_FIT_BESIDE_PROSE } from '../../tables/testing/question-rules.js';

/** The bounds of a table's answer as confidences, for measurements that run without the framework. */
export const TABLE_CONFIDENCE = calibrate(TABLE_FIT);
export const TABLE_CONFIDENCE_BESIDE_PROSE = calibrate(TABLE_FIT_BESIDE_PROSE);
