import { canonicalJson } from '#libs/common';
import type { IngestionPolicy, ModelReach } from '../../ingestion-policy/index.js';
import type { HealthRow } from './dataset-health.repository.js';
import type { HealthAdvice, IndexParity, StaleDocuments } from './dataset-health.dto.js';

/** How a dataset differs from its policy. */
export interface Aging {
  readonly stale: StaleDocuments;
  readonly models: {
    /** The embedding model that the dataset is to have; null when the installation does not have the model that the policy names. */
    readonly wanted: string | null;
    /** The embedding model that the policy names. */
    readonly named: string | null;
    /** Whether the installation still has the model of the dataset's vectors, so that they are searched. */
    readonly isSearched: boolean;
    /**
     * Whether the vectors are those that an earlier version of the service made with the same settings: better ones are offered, but
     * nothing is wrong.
     */
    readonly isFormer: boolean;
  };
  /**
   * The embedding model (present or after a re-embedding) that reads less than the policy's chunk size, with both numbers of tokens; null:
   * there is none.
   */
  readonly cutBy: ModelReach | null;
  /** A `score_threshold` of the policy whose meaning a re-embedding would change; null: there is none. */
  readonly rescaledThreshold: number | null;
  /** Whether its chunking is the default from before `section`. */
  readonly isCutAsBefore: boolean;
}

/**
 * Codes of advice that offers an improvement or announces an effect. The dataset stays healthy with it, because its documents match its
 * policy and model: an upgrade of the service alone must not make a dataset degraded.
 */
const OFFERS: ReadonlySet<string> = new Set([
  'EMBEDDING_DEFAULT_CHANGED',
  'CHUNKS_LONGER_THAN_MODEL',
  'SCORE_THRESHOLD_RESCALED',
  'CHUNKING_DEFAULT_CHANGED',
]);

export function isHealthy(advice: readonly HealthAdvice[]): boolean {
  return advice.every(({ code }) => OFFERS.has(code));
}

/** Default `chunking` of datasets made before ADR 0146. */
const FORMER_CHUNKING: IngestionPolicy['chunking'] = {
  strategy: 'recursive',
  chunk_size: 512,
  chunk_overlap: 64,
  separators: [],
  heading_context: true,
};

export function isFormerDefault(chunking: IngestionPolicy['chunking']): boolean {
  return canonicalJson({ ...chunking }) === canonicalJson({ ...FORMER_CHUNKING });
}

/** Advice for a dataset, the most urgent first; empty if there is nothing to do. */
export function adviceFor(row: HealthRow, aging: Aging, index: IndexParity, policyVersion: number): HealthAdvice[] {
  return [...indexAdvice(index), ...documentAdvice(row), ...modelAdvice(aging), ...staleAdvice(aging, policyVersion)];
}

function indexAdvice({ expected_rows: expected, stored_rows: stored, parity }: IndexParity): HealthAdvice[] {
  if (parity === 'missing_rows') {
    const detail = `The vector store holds ${stored ?? 0} of ${expected} rows, so searches miss some chunks. Rebuild it with "npm run reindex".`;
    return [{ code: 'INDEX_INCOMPLETE', detail }];
  }
  if (parity === 'unknown') {
    const detail = 'The vector store did not answer, so it is unknown whether it is complete. See GET /health/details.';
    return [{ code: 'INDEX_UNKNOWN', detail }];
  }
  return [];
}

function documentAdvice(row: HealthRow): HealthAdvice[] {
  const advice: HealthAdvice[] = [];
  if (row.failed > 0) {
    const detail = `${counted(row.failed, 'failed')}. GET /documents/ with status=failed lists them with the reasons; POST /documents/batch/retry ingests them again.`;
    advice.push({ code: 'FAILED_DOCUMENTS', detail });
  }
  if (row.without_chunks > 0) {
    const detail = `${counted(row.without_chunks, 'completed')} without any text, so no search finds them. Look at their warnings: scanned pages need OCR.`;
    advice.push({ code: 'DOCUMENTS_WITHOUT_CHUNKS', detail });
  }
  return advice;
}

function modelAdvice({ stale, models }: Aging): HealthAdvice[] {
  const advice: HealthAdvice[] = [];
  if (models.wanted === null) {
    const detail = `The ingestion policy names the embedding model ${models.named}, which this installation does not have. Name one of GET /models with port "embedding", or have it added to MODELS_FILE.`;
    advice.push({ code: 'EMBEDDING_MODEL_MISSING', detail });
  }
  if (stale.embedding > 0 && models.isFormer) {
    const detail = `${counted(stale.embedding, 'has', 'have')} vectors of an earlier version of the service, which are searched as before. New datasets have vectors of ${models.wanted}: POST /datasets/{id}/reembeddings, or "npm run reembed" for all datasets, makes new ones.`;
    advice.push({ code: 'EMBEDDING_DEFAULT_CHANGED', detail });
  } else if (stale.embedding > 0) {
    const effect = models.isSearched ? '' : ', so they are searched by keywords only';
    const wanted = models.named === null ? 'than the one in use' : `than ${models.named}, which the policy names`;
    const detail = `${counted(stale.embedding, 'was', 'were')} embedded by another model ${wanted}${effect}. POST /datasets/{id}/reembeddings, or "npm run reembed" for all datasets, makes new vectors.`;
    advice.push({ code: 'STALE_EMBEDDING', detail });
  }
  return advice;
}

function staleAdvice({ stale, cutBy, rescaledThreshold, isCutAsBefore }: Aging, policyVersion: number): HealthAdvice[] {
  const advice: HealthAdvice[] = [];
  if (cutBy !== null) {
    const detail = `The ingestion policy allows chunks of ${cutBy.chunkSize} tokens, but ${cutBy.model} reads only the first ${cutBy.reads}: the rest of a longer chunk is found by its words only. Write a version with chunking.fit_model true, or chunking.chunk_size ${cutBy.reads} or less, and reingest the documents (POST /documents/batch/reingest).`;
    advice.push({ code: 'CHUNKS_LONGER_THAN_MODEL', detail });
  }
  if (stale.fit > 0) {
    const detail = `${counted(stale.fit, 'was', 'were')} cut to fit the embedding model that the dataset had before (chunking.fit_model). POST /documents/batch/reingest with dataset_id cuts them to fit the present one.`;
    advice.push({ code: 'CHUNKS_FIT_ANOTHER_MODEL', detail });
  }
  if (rescaledThreshold !== null) {
    const detail = `The score_threshold ${rescaledThreshold} of the ingestion policy was chosen for another scale of scores: once the dataset is re-embedded (POST /datasets/{id}/reembeddings), similarities are calibrated to 0 to 1 for the model and the language, and the same threshold leaves out other results. Test the threshold after the re-embedding, and write a new policy version.`;
    advice.push({ code: 'SCORE_THRESHOLD_RESCALED', detail });
  }
  if (stale.policy > 0) {
    const detail = `${counted(stale.policy, 'was', 'were')} ingested under another policy than version ${policyVersion}. POST /documents/batch/reingest with dataset_id and where.policy_version_lt brings them up to date.`;
    advice.push({ code: 'STALE_POLICY', detail });
  }
  if (isCutAsBefore) {
    const detail =
      'The ingestion policy has chunking.strategy `recursive`, the former default: short sections are joined, so a result may show a whole document. New datasets have `section`. Try it on some documents (POST /datasets/{id}/ingestion-policy/dry-run), write it as a new version (PUT /datasets/{id}/ingestion-policy), and reingest the documents.';
    advice.push({ code: 'CHUNKING_DEFAULT_CHANGED', detail });
  }
  return advice;
}

/** The number of documents with the verb in singular or plural. */
function counted(documents: number, one: string, several = one): string {
  return documents === 1 ? `1 document ${one}` : `${documents} documents ${several}`;
}
