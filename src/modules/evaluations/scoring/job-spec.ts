import type { JsonObject } from '#libs/common';
import type { VariantChatDto } from '../cases/variant.dto.js';
import type { SearchOptionsDto } from '../../retrieval/index.js';
import type { MetricName } from './metric-catalogue.js';

/** How a variant searches: the options of a search. */
export type VariantSearch = SearchOptionsDto & { readonly top_k?: number };

/** How a variant answers: options of a chat. */
export type VariantChat = VariantChatDto & {
  /** How many fragments the chat searches; null where the variant leaves that to the chat. */
  readonly sources: number | null;
};

/** One way of searching, and of answering, that is compared with others. */
export interface Variant {
  readonly name: string;
  readonly retrieval: VariantSearch;
  /** Absent: nothing is answered. */
  readonly chat?: VariantChat;
}

/** What a metric must reach. */
export interface Gate {
  /** Key of the metric, `ndcg@10`. */
  readonly metric: string;
  readonly min: number | null;
  readonly maxRegression: number | null;
}

/** Who judges answers, and by which prompts. */
export interface JudgeSpec {
  readonly model: string;
  readonly prompt_version: number;
}

/** What the runs of a judge said by metric; null in the place of a run that failed. */
export type JudgeRecord = Readonly<Record<string, readonly (number | null)[]>>;

/** What a job does, with every default filled in. */
export interface JobSpec {
  readonly variants: readonly Variant[];
  readonly metrics: readonly MetricName[];
  readonly k: readonly number[];
  readonly gates: readonly Gate[];
  /** Absent: no metric needs one. */
  readonly judge?: JudgeSpec;
}

/** A result of a search as it is kept. */
export interface RankedResult {
  readonly document_id: string;
  readonly chunk_id: string;
  readonly score: number;
  readonly relevant: boolean;
}

/** A citation of an answer as it is kept. */
export interface CitationRecord {
  readonly document_id: string;
  readonly chunk_id: string;
  readonly source_char_start: number;
  readonly source_char_end: number;
  readonly support_score: number;
  readonly verified: boolean;
}

/** An answer as it is kept: no text of it, because that holds text of documents. */
export interface AnswerRecord {
  /** Null where there is no answer. */
  readonly model: string | null;
  /** Code of the refusal; null for an answer. */
  readonly refusal: string | null;
  readonly characters: number;
  readonly citations: readonly CitationRecord[];
  readonly latency_ms: number;
  /** Why there is no answer. */
  readonly error_code: string | null;
  /** Absent where nothing was judged. */
  readonly judged?: JudgeRecord;
}

/** A change of the search that brings what was missed, as `POST /retrieval/explain` found it. */
export interface MissFix {
  readonly action: string;
  readonly change: JsonObject;
}

/** Why nothing that is relevant was found. */
export interface MissRecord {
  readonly code: string;
  readonly verdict: string;
  /** Which of the relevant items was explained, from 0. */
  readonly item: number;
  readonly fixes: readonly MissFix[];
}
