import { ApiProperty } from '@nestjs/swagger';
import type { JsonObject } from '#libs/common';
import {
  EXPLAIN_CODE_NAMES,
  EXPLAIN_CODES,
  EXPLAIN_STAGES,
  STAGE_OUTCOMES,
  SUGGESTED_ACTIONS,
  VERDICTS,
  type ExplainCode,
  type ExplainStageName,
  type StageOutcome,
  type SuggestedAction,
  type Verdict,
} from './explain-codes.js';
import { RetrievalReport } from '../dto/search-response.dto.js';
import { ExplainedAnswer } from '../dto/explained-answer.dto.js';
import { ExplainedChunk } from '../dto/explained-chunk.dto.js';
import { ExplainedTrust } from '../dto/explained-trust.dto.js';

const COUNT = { type: 'integer', minimum: 0 } as const;
const RANK = { type: 'integer', minimum: 1, nullable: true } as const;
const SCORE = { type: Number, nullable: true } as const;
const LEGS = ['words', 'grams', 'title'] as const;

const CODE_MEANINGS = [
  'The first reason that was met, in the order of the stages:',
  ...EXPLAIN_CODE_NAMES.map((name) => `- \`${name}\` (${EXPLAIN_CODES[name].verdict}): ${EXPLAIN_CODES[name].meaning}`),
].join('\n');

/** The document that is explained. */
export class ExplainedDocument {
  /** The document. */
  @ApiProperty({ format: 'uuid' })
  document_id!: string;

  /** Its name. */
  name!: string;

  /** Where it lies in its folder; null when its upload named none. */
  @ApiProperty({ type: String, nullable: true })
  path!: string | null;

  /** The archive that it is a file of; null when it is none. */
  @ApiProperty({ type: String, format: 'uuid', nullable: true })
  archive_id!: string | null;

  /** Its dataset. */
  @ApiProperty({ format: 'uuid' })
  dataset_id!: string;

  /** Its status; a document that is ingested again keeps its chunks meanwhile. */
  status!: string;

  /** The stage that it is in, or that it stopped at. */
  current_stage!: string;

  /** Why it failed; null when it did not. */
  @ApiProperty({ type: String, nullable: true })
  error_code!: string | null;

  /** What it waits for; null when it does not wait. */
  @ApiProperty({ type: String, nullable: true })
  waiting_reason!: string | null;

  /** Codes of its warnings. */
  @ApiProperty({ type: [String] })
  warnings!: string[];

  /** How many of its chunks are searchable. */
  @ApiProperty(COUNT)
  searchable_chunks!: number;
}

/** What a term of the query adds to the keyword score of the chunk. */
export class ExplainedTerm {
  /** Where it is looked for: `words` of the text, `grams` (parts of words, or runs of characters), words of the `title` and headings. */
  @ApiProperty({ enum: LEGS })
  leg!: string;

  /** The analysed term. */
  term!: string;

  /** How often the query says it: it counts so often. A part of a word counts once. */
  @ApiProperty({ type: Number, minimum: 1 })
  query_frequency!: number;

  /** Whether the chunk holds it. */
  @ApiProperty({ type: Boolean })
  matched!: boolean;

  /** How often it stands there. */
  @ApiProperty(COUNT)
  frequency!: number;

  /** How many searchable chunks of the datasets hold it: the more, the less it counts. */
  @ApiProperty(COUNT)
  chunks_with_term!: number;

  /** What it adds; the contributions sum up to the keyword score before it is divided by the greatest possible one. */
  @ApiProperty({ type: Number, minimum: 0 })
  contribution!: number;
}

/** What the stores hold of the chunk. */
export class ExplainedIndex {
  /** Whether the vector store has a row of it under the generation that is shown. */
  @ApiProperty({ type: Boolean })
  in_vector_store!: boolean;

  /** Embedding spaces in which it has a vector. */
  @ApiProperty({ type: [String] })
  embedding_spaces!: string[];

  /** The space that is searched for the dataset of the document. */
  searched_space!: string;
}

/** A condition of the filter that keeps the document out. */
export class UnmetFilterCondition {
  /** Where it stands in the request. */
  @ApiProperty({ type: String, example: '/filters/filters/0' })
  pointer!: string;

  /** What it wants. */
  detail!: string;
}

/** A result that was returned instead. */
export class ResultAhead {
  /** Place among the results, from 1. */
  @ApiProperty({ type: 'integer', minimum: 1 })
  rank!: number;

  /** The chunk. */
  @ApiProperty({ format: 'uuid' })
  chunk_id!: string;

  /** Its document. */
  @ApiProperty({ format: 'uuid' })
  document_id!: string;

  /** Its dataset. */
  @ApiProperty({ format: 'uuid' })
  dataset_id!: string;

  /** Final score. */
  @ApiProperty({ type: Number, minimum: 0, maximum: 1 })
  score!: number;

  /** How alike it is to the expected chunk, 0 to 1, where `mmr` compares them; else null. */
  @ApiProperty(SCORE)
  similarity!: number | null;
}

/** An entity that the query names. */
export class ExplainedEntity {
  /** Its dataset. */
  @ApiProperty({ format: 'uuid' })
  dataset_id!: string;

  /** As the query has it. */
  form!: string;

  /** Its label in the graph. */
  label!: string;

  /** Searchable chunks that name it. */
  @ApiProperty(COUNT)
  chunks!: number;
}

/** A way from the query to the chunk. */
export class ExplainedPath {
  /** As the query has it. */
  form!: string;

  /** Label of the entity that it names. */
  entity!: string;

  /** The chunk that names it and the next entity; null where the expected chunk itself names it. */
  @ApiProperty({ type: String, format: 'uuid', nullable: true })
  from_chunk_id!: string | null;

  /** The document of that chunk. */
  @ApiProperty({ type: String, format: 'uuid', nullable: true })
  from_document_id!: string | null;

  /** Label of the entity that leads to the expected chunk; null where that itself names what the query names. */
  @ApiProperty({ type: String, nullable: true })
  via!: string | null;

  /** Share of the chunk's score in the graph. */
  @ApiProperty({ type: Number, minimum: 0, maximum: 1 })
  weight!: number;
}

/** What the knowledge graph had to say. */
export class ExplainedGraph {
  /** What the query names. */
  @ApiProperty({ type: [ExplainedEntity] })
  entities!: ExplainedEntity[];

  /** The up to three ways to the chunk that weigh most. */
  @ApiProperty({ type: [ExplainedPath] })
  paths!: ExplainedPath[];
}

/** What the verdict rests on. */
export class ExplainEvidence {
  /** The document; null when it is unknown. */
  @ApiProperty({ type: ExplainedDocument, nullable: true })
  document!: ExplainedDocument | null;

  /** The chunk; null when nothing searchable holds what is expected. */
  @ApiProperty({ type: ExplainedChunk, nullable: true })
  chunk!: ExplainedChunk | null;

  /** How many searchable chunks would do; counted up to 1,000. */
  @ApiProperty(COUNT)
  expected_chunks!: number;

  /** Every term of the query; empty for a search by vectors alone. */
  @ApiProperty({ type: [ExplainedTerm] })
  terms!: ExplainedTerm[];

  /** What the knowledge graph had to say; null without `use_kg`. */
  @ApiProperty({ type: ExplainedGraph, nullable: true })
  kg!: ExplainedGraph | null;

  /** What the stores hold of the chunk; null where it was not looked at. */
  @ApiProperty({ type: ExplainedIndex, nullable: true })
  index!: ExplainedIndex | null;

  /** How far vectors were trusted; null for a search by words, and where the embedding of the document's dataset is not measured. */
  @ApiProperty({ type: ExplainedTrust, nullable: true })
  vector_trust!: ExplainedTrust | null;

  /** What keeps the document out of `filters`. */
  @ApiProperty({ type: [UnmetFilterCondition] })
  unmet_conditions!: UnmetFilterCondition[];

  /** The last ten results that were returned instead of it, best first; empty when it is one of them or was not ranked. */
  @ApiProperty({ type: [ResultAhead] })
  returned_instead!: ResultAhead[];
}

/** What one stage made of the chunk. */
export class ExplainStage {
  /**
   * `indexed`: the document is searchable and the stores have the chunk. `scope`: its dataset was searched and is visible.
   * `filters`. `keyword`, `vector` and `kg`: the lists of the channels, each at most `candidate_k` long. `fusion`: all as one. `rerank`,
   * `threshold`, `mmr`, `top_k`: as the options are called.
   */
  @ApiProperty({ enum: EXPLAIN_STAGES })
  stage!: ExplainStageName;

  /** `removed`: it went no further (of `keyword`, `vector` and `kg` one is enough to go on). `not_used`: no part of this search. */
  @ApiProperty({ enum: STAGE_OUTCOMES })
  outcome!: StageOutcome;

  /** Its place in the list of the stage, from 1; null when it is not in it. */
  @ApiProperty(RANK)
  rank!: number | null;

  /** Its score at the stage, also where it was removed; null when there is none. */
  @ApiProperty(SCORE)
  score!: number | null;

  /** What the stage lets pass: `candidate_k`, `rerank.top_n`, `score_threshold` or `top_k`; null for the others. */
  @ApiProperty(SCORE)
  limit!: number | null;

  /** How many chunks the list of the stage holds; null for stages without a list. */
  @ApiProperty({ ...COUNT, nullable: true })
  list_length!: number | null;

  /** The same in words. */
  detail!: string;
}

/** A change of the request that returns the expected chunk: it was tried before it is shown. */
export class ExplainSuggestion {
  /** What is changed. */
  @ApiProperty({ enum: SUGGESTED_ACTIONS })
  action!: SuggestedAction;

  /** The same in words. */
  description!: string;

  /** JSON Merge Patch (RFC 7396) of the search request. */
  @ApiProperty({ type: 'object', additionalProperties: true, example: { top_k: 14 } })
  change!: JsonObject;

  /** Always true: the changed request was searched with, and the chunk was among the results. */
  @ApiProperty({ type: Boolean })
  verified!: boolean;

  /** Place among the results of the changed request. */
  @ApiProperty({ type: 'integer', minimum: 1 })
  rank!: number;

  /** Final score there. */
  @ApiProperty({ type: Number, minimum: 0, maximum: 1 })
  score!: number;
}

/** Why something was found or not. */
export class ExplainResponse {
  /** Correlates the answer with logs, errors and the ledger of requests. */
  request_id!: string;

  /**
   * `retrieved`: it is among the results. `not_indexed`: it could not be found by any search. `filters_too_strict`: the request
   * excludes it. `model_policy`: it could be found, and others were taken.
   */
  @ApiProperty({ enum: VERDICTS })
  verdict!: Verdict;

  @ApiProperty({ enum: EXPLAIN_CODE_NAMES, description: CODE_MEANINGS })
  code!: ExplainCode;

  /** The code in words; of `REFUSED` with the measure and its bar. */
  detail!: string;

  /** What a chat makes of the search, whatever the code; null unless `purpose` is `chat`, and where nothing was searched. */
  @ApiProperty({ type: ExplainedAnswer, nullable: true })
  answer!: ExplainedAnswer | null;

  /** What the verdict rests on. */
  @ApiProperty({ type: ExplainEvidence })
  evidence!: ExplainEvidence;

  /** What each stage made of the chunk, in order; empty for `DOCUMENT_UNKNOWN`. */
  @ApiProperty({ type: [ExplainStage] })
  stages!: ExplainStage[];

  /** Changes that return it, at most five; none when no change of the request helps, or when it is returned already. */
  @ApiProperty({ type: [ExplainSuggestion] })
  suggestions!: ExplainSuggestion[];

  /** How the search was done; null for `DOCUMENT_UNKNOWN` and where the account sees none of the datasets. */
  @ApiProperty({ type: RetrievalReport, nullable: true })
  retrieval!: RetrievalReport | null;
}
