import { createHash } from 'node:crypto';
import { canonicalJson } from '#libs/common';
import { ANALYSIS_VERSION } from '#libs/text';
import type { EffectiveOptions } from './search-options.js';

/** Changes with every change of the ranking that can change a result for the same options. */
const RANKING_VERSION = '1';

/**
 * SHA-256 (hex) over what decides the results of a search beside its question and the contents of its datasets: the options
 * that are in force, the datasets in any order, the embedding space, the text analysis and the ranking. Options without
 * effect (the fusion of a keyword search) do not count, nor do `top_k`, which only cuts the list, and `include`.
 */
export function configFingerprint(
  options: EffectiveOptions,
  datasetIds: readonly string[],
  embeddingSpace: string,
): string {
  const { searchMethod, candidateK, fusion, scoreThreshold, rerank, mmr, filter } = options;
  const { method, k, vectorWeight } = fusion;
  const parts = {
    ranking: RANKING_VERSION,
    analysis: ANALYSIS_VERSION,
    space: embeddingSpace,
    datasets: datasetIds.toSorted(),
    searchMethod,
    candidateK,
    fusion: searchMethod === 'hybrid' ? { method, vectorWeight, k: method === 'rrf' ? k : null } : null,
    scoreThreshold: scoreThreshold === 0 ? null : scoreThreshold,
    rerank,
    mmr,
    filter,
  };
  return createHash('sha256').update(canonicalJson(parts)).digest('hex');
}
