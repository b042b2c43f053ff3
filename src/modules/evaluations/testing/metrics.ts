export { ndcgAt, recallAt, reciprocalRankAt } from '../scoring/metrics.js';
