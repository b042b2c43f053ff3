/** The measures of a ranking, for measurements outside of this module. */
export { ndcgAt, recallAt, reciprocalRankAt } from '../scoring/metrics.js';
