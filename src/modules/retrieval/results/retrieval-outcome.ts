import type { ChunkId, DatasetId, DocumentId, JsonObject } from '#libs/common';
import type { QuestionProfile } from '#libs/answering';
import type { RetrievalReport, SearchRanks, SearchScores } from '../request/search-response.dto.js';
import type { MarkedSentence } from './highlights.js';

/** What a second look could not compare, with the code of the error. */
export interface LookFailure {
  readonly code: string;
  /** `words`: only the words of the question that statements lack. */
  readonly of: 'statements' | 'words';
}

/** For each statement, by the forms of words that it lacks, how strange they are to it, in spreads of unrelated texts; undefined where not compared. */
export type StrangeOfText = readonly (ReadonlyMap<string, number> | undefined)[];

/** A result with all its properties. */
export interface RetrievedChunk {
  readonly chunkId: ChunkId;
  readonly documentId: DocumentId;
  readonly documentName: string;
  /** Where the document lies in its folder; null when its upload named none. */
  readonly documentPath: string | null;
  /** The archive that the document is a file of; null when it is none. */
  readonly archiveId: DocumentId | null;
  /** When the document was uploaded. */
  readonly documentCreatedAt: Date;
  readonly datasetId: DatasetId;
  readonly ordinal: number;
  /** `text === canonical.slice(start, end)` of the document's canonical text, in UTF-16 code units. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Of the chunk itself, where `text` holds more than it (`expand`); as `start` and `end`. Absent: the same. */
  readonly own?: { readonly start: number; readonly end: number };
  readonly headingPath: readonly string[];
  readonly page: number | null;
  readonly pageEnd: number | null;
  readonly sheet: string | null;
  readonly row: number | null;
  /** A line about where the chunk is in its document, as a model wrote it; no part of the text. */
  readonly context?: string | null;
  readonly metadata: JsonObject;
  readonly policyVersion: number;
  readonly revision: number;
  readonly score: number;
  readonly scores: SearchScores;
  readonly ranks: SearchRanks;
  /** Offsets within `text`; empty when `include` of the request does not name highlights. */
  readonly highlights: readonly MarkedSentence[];
}

/** The outcome of a search. */
export interface RetrievalOutcome {
  /** Best first. */
  readonly results: readonly RetrievedChunk[];
  /** Evidence that the results can answer the question, 0 to 1 (`measureEvidence`); has no effect on the order. */
  readonly evidence: number;
  /** The words of the question, weighed by the datasets that were searched; made when first read. */
  readonly question: QuestionProfile;
  /** How the search was done, as it is shown. */
  readonly report: RetrievalReport;
  /** How alike the statements of the first results are to the question; absent where they were not compared. */
  readonly likeness?: SentenceLikeness;
}

/** By chunk what was compared of it. */
export type SentenceLikeness = ReadonlyMap<
  ChunkId,
  {
    /** The text whose statements were compared, as the chunk itself has it. */
    readonly text: string;
    /** For each statement (`splitStatements`) in spreads of unrelated texts above their level; 0 for those that were not compared. */
    readonly of: readonly number[];
    /** From here on the model's word is taken for an answer. */
    readonly answersFrom: number;
    /** How strange words of the question are to its statements; empty where the question is not for a model that quotes. */
    readonly strange: StrangeOfText;
  }
>;
