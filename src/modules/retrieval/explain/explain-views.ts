import type { ChunkId, DatasetId } from '#libs/common';
import { wordsInText } from '#libs/answering';
import { summarizeTerms, TermStatistics, type EncodedTerms, type TermContribution } from '#libs/ranking';
import { toFilterFacts } from '../../documents/index.js';
import { similarityOf, type ScopedCandidate } from '../ranking/candidate-scorer.service.js';
import type {
  ExplainedDocument,
  ExplainedGraph,
  ExplainedTerm,
  ExplainedWord,
  ExplainEvidence,
  ExplainResponse,
  ResultAhead,
} from './explain-response.dto.js';
import type { ExplainedTrust } from '../request/explained-trust.dto.js';
import type { GraphFindings } from '../graph/graph-scores.js';
import type { SearchTrace } from '../results/search-trace.js';
import type { IndexState } from './diagnosis.js';
import { EXPLAIN_CODES, verdictOf, type ExplainCode } from './explain-codes.js';
import type { ExplainedDocumentRow } from './explain.repository.js';
import { unmetConditions } from './filter-evidence.js';
import type { Target } from './target.js';
import type { ExplainedAnswer } from '../request/explained-answer.dto.js';
import { searchedSpace } from '../candidates/scoring.js';
import type { Outlook } from './answer-outlook.port.js';

/** This many of the results that were returned instead are shown. */
const AHEAD_MAX = 10;

/** What is answered about what the caller may not know of: always the same but for the request id. */
export function unknownResponse(requestId: string): ExplainResponse {
  const evidence: ExplainEvidence = {
    document: null,
    chunk: null,
    expected_chunks: 0,
    words: [],
    terms: [],
    kg: null,
    index: null,
    vector_trust: null,
    unmet_conditions: [],
    returned_instead: [],
  };
  const head = headOf(requestId, 'DOCUMENT_UNKNOWN', null);
  return { ...head, evidence, stages: [], suggestions: [], retrieval: null };
}

export function headOf(
  requestId: string,
  code: ExplainCode,
  outlook: Outlook | null,
): Pick<ExplainResponse, 'request_id' | 'verdict' | 'code' | 'detail' | 'answer'> {
  const detail = detailOf(code, outlook);
  return { request_id: requestId, verdict: verdictOf(code), code, detail, answer: outlook && toAnswer(outlook) };
}

/** A chat never leaves a refusal without its reason: with one that only its model can tell, that is said. */
function detailOf(code: ExplainCode, outlook: Outlook | null): string {
  const { meaning } = EXPLAIN_CODES[code];
  if (outlook === null) return code === 'RETRIEVED' ? 'It is among the results; nothing is wrong.' : meaning;
  const { measure, refusal, isWriting } = outlook;
  const { name, value, bar } = measure;
  const figures = `\`${name}\` is ${rounded(value)}, and the bar is ${bar}`;
  if (refusal !== null) {
    const refused = refusal.code === 'NOT_ANSWERED' ? `the model finds no sentence that answers (${figures})` : figures;
    return code === 'REFUSED' ? `${meaning} Here ${refused}.` : `${meaning} The chat refuses the question: ${refused}.`;
  }
  if (code !== 'RETRIEVED') return meaning;
  const rest = isWriting ? ' The model itself may still decline (`NOT_ANSWERED`).' : '';
  return `It is among the results, and the chat model is given it: ${figures}.${rest}`;
}

export function toAnswer({ refusal, measure }: Outlook): ExplainedAnswer {
  return {
    is_refused: refusal !== null,
    code: refusal?.code ?? null,
    measure,
    missing: refusal?.missing.kind ?? null,
    missing_words: [...(refusal?.missing.words ?? [])],
  };
}

function rounded(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}

/** What is known about a target. */
export interface KnownFacts {
  readonly target: Target;
  readonly expectedChunks: number;
  readonly trace: SearchTrace | null;
  readonly scored: ScopedCandidate | null;
  readonly index: IndexState | null;
  readonly terms: readonly TermContribution[];
  readonly words: readonly ExplainedWord[];
}

export function toEvidence({
  target,
  expectedChunks,
  trace,
  scored,
  index,
  terms,
  words,
}: KnownFacts): ExplainEvidence {
  const { document, chunk } = target;
  const filter = trace?.options.filter ?? null;
  return {
    // Of a deleted document is told that it was deleted, neither its name nor, by conditions that it does not meet, its metadata.
    document: document.is_deleted ? null : toDocument(document),
    chunk:
      chunk === null
        ? null
        : {
            chunk_id: chunk.id,
            ordinal: chunk.ordinal,
            char_start: Number(chunk.text_start),
            char_end: Number(chunk.text_end),
          },
    expected_chunks: expectedChunks,
    words: [...words],
    terms: terms.map(toTerm),
    kg: trace === null || trace.graph === null ? null : toGraph(trace.graph, chunk?.id ?? null),
    index:
      index === null || trace === null
        ? null
        : {
            in_vector_store: index.isInStore,
            embedding_spaces: [...index.spaces],
            searched_space: searchedSpace(trace.scoring, document.dataset_id),
          },
    vector_trust: trace === null ? null : toTrust(trace, document.dataset_id),
    unmet_conditions: filter === null || document.is_deleted ? [] : unmetConditions(filter, toFilterFacts(document)),
    returned_instead: trace === null || target.resultRank !== null ? [] : resultsAhead(trace, scored),
  };
}

/** Which words of the question a chunk holds, decided as in the overview of the whole search. */
export function toExplainedWords(query: string, { outcome }: SearchTrace, chunk: EncodedTerms): ExplainedWord[] {
  const text = new TermStatistics();
  text.add(summarizeTerms([chunk]));
  return wordsInText(query, outcome.question, text).map(({ word, isNowhere, isInText }) => {
    return { word, occurs: !isNowhere, in_chunk: isInText };
  });
}

function toTrust({ scoring }: SearchTrace, datasetId: DatasetId): ExplainedTrust | null {
  const found = scoring.calibrations.get(searchedSpace(scoring, datasetId));
  if (found === undefined) return null;
  const { language, trust, source, calibration } = found;
  return { language, trust: Math.round(trust * 100) / 100, source, calibrated: calibration !== null };
}

function toGraph({ entities, scores }: GraphFindings, chunkId: ChunkId | null): ExplainedGraph {
  const paths = chunkId === null ? [] : (scores.get(chunkId)?.paths ?? []);
  return {
    entities: entities.map(({ datasetId, form, label, chunks }) => {
      return { dataset_id: datasetId, form, label, chunks: chunks.length };
    }),
    paths: paths.map(({ form, entity, from, via, weight }) => {
      return {
        form,
        entity,
        from_chunk_id: from?.chunkId ?? null,
        from_document_id: from?.documentId ?? null,
        via,
        weight,
      };
    }),
  };
}

function toDocument(row: ExplainedDocumentRow): ExplainedDocument {
  return {
    document_id: row.id,
    name: row.name,
    path: row.path,
    archive_id: row.archive_id,
    dataset_id: row.dataset_id,
    status: row.status,
    current_stage: row.current_stage,
    error_code: row.error?.code ?? null,
    waiting_reason: row.waiting_reason,
    warnings: row.warnings.map(({ code }) => code),
    searchable_chunks: row.is_quarantined ? 0 : row.visible_chunks,
  };
}

function toTerm({ leg, term, count, df, tf, score }: TermContribution): ExplainedTerm {
  const facts = { matched: tf > 0, frequency: tf, chunks_with_term: df, contribution: score };
  return { leg, term, query_frequency: count, ...facts };
}

function resultsAhead({ outcome, chosen, options }: SearchTrace, scored: ScopedCandidate | null): ResultAhead[] {
  const compared = new Map<string, ScopedCandidate>(chosen.map(({ item }) => [item.id, item]));
  return outcome.results
    .map((result, index) => {
      const other = compared.get(result.chunkId);
      const isCompared = options.mmr !== null && scored !== null && other !== undefined;
      return {
        rank: index + 1,
        chunk_id: result.chunkId,
        document_id: result.documentId,
        dataset_id: result.datasetId,
        score: result.score,
        similarity: isCompared ? similarityOf(scored, other) : null,
      };
    })
    .slice(-AHEAD_MAX);
}
