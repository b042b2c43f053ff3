import { createHash } from 'node:crypto';
import { CALIBRATION_PARAMETERS, type EmbedderDescriptor } from '#libs/ai';
import { canonicalJson, type JsonObject } from '#libs/common';
import { ADDED_TERMS_VERSION, ANALYSIS_VERSION, KEYWORD_PARAMETERS, QUERY_PARAMETERS } from '#libs/ranking';
import type { CandidateParameters } from '../candidates/candidate-finder.service.js';
import type { EffectiveOptions } from '../request/search-options.js';

/** Changes with every change of the ranking that can change a result for the same options and parameters. */
const RANKING_VERSION = '5';

/** Parts of the installation that decide results. */
export interface SearchInstallation {
  readonly embedder: Pick<EmbedderDescriptor, 'provider' | 'model' | 'dimensions' | 'space'>;
  /** All embedding models of the datasets, where there are several. */
  readonly embedders?: readonly SearchInstallation['embedder'][];
  /** Spaces whose cosines count as they are, because a dataset's vectors are older than scales. */
  readonly uncalibrated?: readonly string[];
  readonly candidates: CandidateParameters;
  /** The numbers of the keyword formula and of the query's terms; those in force unless they are given. */
  readonly keyword?: unknown;
  readonly query?: unknown;
}

/**
 * Everything that decides the results of a search beside its question and the contents of its datasets, by parts: the effective options, the
 * datasets in any order, the embedding, the text analysis, the ranking and the store. Options without effect (the fusion of a keyword search, the
 * embedding of a search without vectors) are left out, and so are `top_k`, which only cuts the list, and `include`. Contains no text of
 * documents.
 */
export function searchConfig(
  options: EffectiveOptions,
  datasetIds: readonly string[],
  installation: SearchInstallation,
): JsonObject {
  const { searchMethod, fusion, scoreThreshold, onEmbeddingFailure: _, bySpace, ...others } = options;
  const {
    embedder,
    embedders = [],
    uncalibrated = [],
    candidates,
    keyword = KEYWORD_PARAMETERS,
    query = QUERY_PARAMETERS,
  } = installation;
  const { store, exactVectorsBelow, vectorSearch, vectorBytes, ...sought } = candidates;
  const index = { store, exactVectorsBelow, vectorSearch, vectorBytes };
  const usesVectors = searchMethod !== 'keyword' || options.mmr !== null;
  const { method, k, vectorWeight, byTrust } = fusion;
  const parts = {
    ...others,
    ...(bySpace === undefined || searchMethod === 'keyword' ? {} : { bySpace }),
    ranking: RANKING_VERSION,
    analysis: `${ANALYSIS_VERSION}.${ADDED_TERMS_VERSION}`,
    keyword: searchMethod === 'vector' ? null : { formula: keyword, query },
    embedding: usesVectors ? (embedders.length > 1 ? embedders.map(embeddingOf) : embeddingOf(embedder)) : null,
    ...(usesVectors ? { calibration: { ...CALIBRATION_PARAMETERS, uncalibrated: uncalibrated.toSorted() } } : {}),
    index: usesVectors ? index : null,
    candidates: sought,
    datasets: datasetIds.toSorted(),
    searchMethod,
    fusion: searchMethod === 'hybrid' ? { method, vectorWeight, k: method === 'rrf' ? k : null, byTrust } : null,
    scoreThreshold: scoreThreshold === 0 ? null : scoreThreshold,
  };
  return JSON.parse(canonicalJson(parts)) as JsonObject;
}

/** SHA-256 (hex) over the parts of a configuration. Equal configurations have equal fingerprints. */
export function configFingerprint(config: JsonObject): string {
  return createHash('sha256').update(canonicalJson(config)).digest('hex');
}

function embeddingOf({ provider, model, dimensions, space }: SearchInstallation['embedder']): JsonObject {
  return { provider, model, dimensions, space };
}
