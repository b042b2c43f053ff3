import { ApiProperty } from '@nestjs/swagger';
import type { JsonObject } from '#libs/common';
import { Answer } from '#libs/http';
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
import { RetrievalReport } from '../request/search-response.dto.js';
import { ExplainedAnswer } from '../request/explained-answer.dto.js';
import { ExplainedChunk } from '../request/explained-chunk.dto.js';
import { ExplainedTrust } from '../request/explained-trust.dto.js';

const LEGS = ['words', 'grams', 'title'] as const;

const CODE_MEANINGS = [
  'First reason, in the order of the stages:',
  ...EXPLAIN_CODE_NAMES.map((name) => `- \`${name}\` (${EXPLAIN_CODES[name].verdict}): ${EXPLAIN_CODES[name].meaning}`),
].join('\n');

/** The document that is explained. */
export class ExplainedDocument {
  /** Identifier of the document. */
  @Answer.Uuid()
  document_id!: string;

  /** Name of the document. */
  name!: string;

  /** Path of the document in the folder that it was uploaded from, ending with its name; null when the upload named no path. */
  @Answer.Text({ nullable: true })
  path!: string | null;

  /** Identifier of the archive that contains the document; null: none. */
  @Answer.Uuid({ nullable: true })
  archive_id!: string | null;

  /** Identifier of the dataset. */
  @Answer.Uuid()
  dataset_id!: string;

  /** Status of the document; a document that is being ingested again keeps its chunks meanwhile. */
  status!: string;

  /** Stage in which the document is, or in which it stopped. */
  current_stage!: string;

  /** Code of the failure; null: the document did not fail. */
  @Answer.Text({ nullable: true })
  error_code!: string | null;

  /** Waiting reason; null: the document does not wait. */
  @Answer.Text({ nullable: true })
  waiting_reason!: string | null;

  /** Codes of the document's warnings. */
  @Answer.Texts()
  warnings!: string[];

  /** Number of searchable chunks of the document. */
  @Answer.Count()
  searchable_chunks!: number;
}

/** A content word of the query beside the chunk. */
export class ExplainedWord {
  /** The word as the query writes it. */
  word!: string;

  /** Whether a searchable chunk of the datasets contains a form of the word, as far as its letters tell. Filters are not applied. */
  @Answer.Flag()
  occurs!: boolean;

  /** Whether the chunk itself contains a form of the word, by the same measure. A chunk without any of them may still be found by words: by parts of words. */
  @Answer.Flag()
  in_chunk!: boolean;
}

/** What a term of the query adds to the keyword score of the chunk. */
export class ExplainedTerm {
  /** Where the term is searched: `words` of the text; `grams`: parts of words, or sequences of characters; `title`: words of title and headings. */
  @Answer.Choice(LEGS)
  leg!: string;

  /** The analysed term. */
  term!: string;

  /** Number of times the query contains the term, as a factor of the contribution. Always 1 for a part of a word. */
  @Answer.Decimal({ min: 1 })
  query_frequency!: number;

  /** Whether the chunk contains the term. */
  @Answer.Flag()
  matched!: boolean;

  /** Number of times the chunk contains the term. */
  @Answer.Count()
  frequency!: number;

  /** Number of searchable chunks of the datasets with the term; the more there are, the less the term contributes. */
  @Answer.Count()
  chunks_with_term!: number;

  /** Amount that the term adds. The keyword score is the sum of all contributions, divided by the greatest possible sum. */
  @Answer.Decimal({ min: 0 })
  contribution!: number;
}

/** What the stores hold of the chunk. */
export class ExplainedIndex {
  /** Whether the vector store has a row of the chunk for the shown generation. */
  @Answer.Flag()
  in_vector_store!: boolean;

  /** Embedding spaces in which the chunk has a vector. */
  @Answer.Texts()
  embedding_spaces!: string[];

  /** Embedding space that is searched for the dataset of the document. */
  searched_space!: string;
}

/** A condition of the filter that keeps the document out. */
export class UnmetFilterCondition {
  /** JSON pointer to the condition in the request. */
  @Answer.Text({ example: '/filters/filters/0' })
  pointer!: string;

  /** The condition in words. */
  detail!: string;

  /** The condition as filters are written; for what a `not` excludes the `not` of it. */
  @Answer.Json({ example: { type: 'eq', key: 'tags', value: 'manual' } })
  condition!: JsonObject;
}

/** A result that was returned instead. */
export class ResultAhead {
  /** Rank among the results, from 1. */
  @Answer.Integer({ min: 1 })
  rank!: number;

  /** Identifier of the chunk. */
  @Answer.Uuid()
  chunk_id!: string;

  /** Identifier of the document. */
  @Answer.Uuid()
  document_id!: string;

  /** Identifier of the dataset. */
  @Answer.Uuid()
  dataset_id!: string;

  /** Final score. */
  @Answer.Share()
  score!: number;

  /** Similarity to the expected chunk, 0 to 1; null: `mmr` did not compare them. */
  @Answer.Decimal({ nullable: true })
  similarity!: number | null;
}

/** An entity that the query names. */
export class ExplainedEntity {
  /** Identifier of the dataset. */
  @Answer.Uuid()
  dataset_id!: string;

  /** The entity as the query names it. */
  form!: string;

  /** Label of the entity in the graph. */
  label!: string;

  /** Number of searchable chunks that name the entity. */
  @Answer.Count()
  chunks!: number;
}

/** A way from the query to the chunk. */
export class ExplainedPath {
  /** The entity as the query names it. */
  form!: string;

  /** Label of that entity in the graph. */
  entity!: string;

  /** Identifier of the chunk that names both this entity and `via`; null: the expected chunk itself names this entity. */
  @Answer.Uuid({ nullable: true })
  from_chunk_id!: string | null;

  /** Identifier of the document of `from_chunk_id`; null without it. */
  @Answer.Uuid({ nullable: true })
  from_document_id!: string | null;

  /** Label of the entity that leads to the expected chunk; null: the expected chunk itself names the entity of the query. */
  @Answer.Text({ nullable: true })
  via!: string | null;

  /** Share of this path in the chunk's graph score, 0 to 1. */
  @Answer.Share()
  weight!: number;
}

/** What the knowledge graph had to say. */
export class ExplainedGraph {
  /** Entities that the query names. */
  @Answer.NestedList(ExplainedEntity)
  entities!: ExplainedEntity[];

  /** Up to three paths from the query to the chunk, those with the greatest weight. */
  @Answer.NestedList(ExplainedPath)
  paths!: ExplainedPath[];
}

/** What the verdict is based on. */
export class ExplainEvidence {
  /** Document of the expected chunk; null: unknown or deleted. */
  @Answer.Nested(ExplainedDocument, { nullable: true })
  document!: ExplainedDocument | null;

  /** Chunk that is explained: of several expected ones, the one that got furthest. Null: no searchable chunk contains what is expected. */
  @Answer.Nested(ExplainedChunk, { nullable: true })
  chunk!: ExplainedChunk | null;

  /** Number of searchable chunks that match the expectation; counted up to 1,000. */
  @Answer.Count()
  expected_chunks!: number;

  /** Content words of the query; empty without a chunk. */
  @Answer.NestedList(ExplainedWord)
  words!: ExplainedWord[];

  /** All terms of the query; empty for a search by vectors only. */
  @Answer.NestedList(ExplainedTerm)
  terms!: ExplainedTerm[];

  /** Contribution of the knowledge graph; null without `use_kg`. */
  @Answer.Nested(ExplainedGraph, { nullable: true })
  kg!: ExplainedGraph | null;

  /** What the database and the vector store contain of the chunk; null: not examined. */
  @Answer.Nested(ExplainedIndex, { nullable: true })
  index!: ExplainedIndex | null;

  /** Trust in vectors compared with words; null for a search by words, and if the embedding of the document's dataset is not measured. */
  @Answer.Nested(ExplainedTrust, { nullable: true })
  vector_trust!: ExplainedTrust | null;

  /** Conditions of `filters` that the document does not meet; empty for a deleted document. */
  @Answer.NestedList(UnmetFilterCondition)
  unmet_conditions!: UnmetFilterCondition[];

  /** The last ten results that were returned instead of the expected chunk, best first; empty: the chunk was returned or not ranked. */
  @Answer.NestedList(ResultAhead)
  returned_instead!: ResultAhead[];
}

/** What one stage made of the chunk. */
export class ExplainStage {
  /**
   * `indexed`: the document is searchable and the stores have the chunk. `scope`: the dataset was searched and is visible. `filters`: the
   * document meets the filters. `keyword`, `vector` and `kg`: the lists of the channels, each at most `candidate_k` long. `fusion`: the
   * merged list. `rerank`, `threshold`, `mmr`, `top_k`: the options of these names.
   */
  @Answer.Choice(EXPLAIN_STAGES)
  stage!: ExplainStageName;

  /**
   * `removed`: the chunk got no further (to get past `keyword`, `vector` and `kg`, one of these lists is enough). `not_used`: the stage was
   * no part of this search.
   */
  @Answer.Choice(STAGE_OUTCOMES)
  outcome!: StageOutcome;

  /** Place of the chunk in the list of the stage, from 1; null: not in it. */
  @Answer.Integer({ nullable: true, min: 1 })
  rank!: number | null;

  /** Score of the chunk at the stage, also if it was removed there; null: none. */
  @Answer.Decimal({ nullable: true })
  score!: number | null;

  /** Limit of the stage: `candidate_k`, `rerank.top_n`, `score_threshold` or `top_k`; null for stages without a limit. */
  @Answer.Decimal({ nullable: true })
  limit!: number | null;

  /** Number of chunks in the list of the stage; null for stages without a list. */
  @Answer.Count({ nullable: true })
  list_length!: number | null;

  /** Outcome of the stage in words. */
  detail!: string;
}

/** A change of the request that returns the expected chunk: it was tried before it is shown. */
export class ExplainSuggestion {
  /** Kind of the change. */
  @Answer.Choice(SUGGESTED_ACTIONS)
  action!: SuggestedAction;

  /** The change in words. */
  description!: string;

  /** JSON Merge Patch (RFC 7396) of the search request. */
  @Answer.Json({ example: { top_k: 14 } })
  change!: JsonObject;

  /** Always true: a search with the changed request returned the chunk. */
  @Answer.Flag()
  verified!: boolean;

  /** Place of the chunk among the results of the changed request, from 1. */
  @Answer.Integer({ min: 1 })
  rank!: number;

  /** Final score of the chunk with the changed request. */
  @Answer.Share()
  score!: number;

  /** Whether a chat refuses the question with the changed request, as in `answer.is_refused`; null if `purpose` is not `chat`. */
  @Answer.Flag({ nullable: true })
  is_refused!: boolean | null;
}

/** Why something was found or not. */
export class ExplainResponse {
  /** Identifier of the request, for logs, errors and `GET /requests/{request_id}`. */
  request_id!: string;

  /**
   * `retrieved`: the expected chunk is among the results. `not_indexed`: no search can find it. `filters_too_strict`: the request excludes
   * it. `model_policy`: the search could find it but preferred others.
   */
  @Answer.Choice(VERDICTS)
  verdict!: Verdict;

  @ApiProperty({ enum: EXPLAIN_CODE_NAMES, description: CODE_MEANINGS })
  code!: ExplainCode;

  /** Meaning of the code; for `REFUSED` with the measure and its bar. */
  detail!: string;

  /** Whether a chat would answer, independent of the code; null if `purpose` is not `chat` or nothing was searched. */
  @Answer.Nested(ExplainedAnswer, { nullable: true })
  answer!: ExplainedAnswer | null;

  /** Facts on which the verdict is based. */
  @Answer.Nested(ExplainEvidence)
  evidence!: ExplainEvidence;

  /** Outcome of each stage for the chunk, in order; empty for `DOCUMENT_UNKNOWN`. */
  @Answer.NestedList(ExplainStage)
  stages!: ExplainStage[];

  /**
   * Changes of the request that return the chunk, at most five; empty: no change helps, or the chunk is returned already. The best come first: those
   * with which a chat does not refuse, then those with the smallest `rank`; those that only return more results (`top_k`) come last.
   */
  @Answer.NestedList(ExplainSuggestion)
  suggestions!: ExplainSuggestion[];

  /** Details of the search; null for `DOCUMENT_UNKNOWN`, and if the account may see none of the datasets. */
  @Answer.Nested(RetrievalReport, { nullable: true })
  retrieval!: RetrievalReport | null;
}
