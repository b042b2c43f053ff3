import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { GROUNDING_METHODS } from '#libs/ai';
import { ANSWERED_THRESHOLD, EVIDENCE_THRESHOLD } from '#libs/text';
import { RetrievalReport } from '../../retrieval/index.js';
import { ChatConversation } from './chat-conversation.dto.js';
import { ChatRefusal } from './chat-refusal.dto.js';
import { ChatTableReading } from './chat-table-reading.dto.js';
import { ChatUsage } from './chat-usage.dto.js';

export const FINISH_REASONS = ['stop', 'length', 'content_filter'] as const;
export type FinishReason = (typeof FINISH_REASONS)[number];
export const GROUNDING_STATUSES = ['supported', 'partial', 'unsupported', 'refused', 'not_applicable'] as const;
export type GroundingStatus = (typeof GROUNDING_STATUSES)[number];
const MEASURES = [...GROUNDING_METHODS, 'table'] as const;

const COUNT = { type: 'integer', minimum: 0 } as const;
const SHARE = { type: Number, minimum: 0, maximum: 1 } as const;
const PAGE = { type: 'integer', minimum: 1, nullable: true } as const;

/** The answer as a message. */
export class ChatAnswerMessage {
  /** Always `assistant`. */
  @ApiProperty({ enum: ['assistant'] })
  role!: 'assistant';

  /** The answer, with `[n]` behind what source n supports; or the sentence of the refusal. */
  content!: string;

  /** The sentence of the refusal once more, where OpenAI's clients look for it; null when there is an answer. */
  @ApiProperty({ type: String, nullable: true })
  refusal!: string | null;
}

/** The one answer. */
export class ChatChoice {
  /** Always 0. */
  @ApiProperty(COUNT)
  index!: number;

  /** The answer. */
  @ApiProperty({ type: ChatAnswerMessage })
  message!: ChatAnswerMessage;

  /** `stop`: complete (a refusal too), or ended by `stop`. `length`: cut at `max_tokens`. `content_filter`: stopped by the model's provider. */
  @ApiProperty({ enum: FINISH_REASONS })
  finish_reason!: FinishReason;
}

/** A fragment that was given to the model. Offsets are UTF-16 code units of the document's canonical text. */
export class ChatAnswerSource {
  /** Its number in the markers, from 1. */
  @ApiProperty({ type: 'integer', minimum: 1 })
  number!: number;

  /**
   * How the answer cites it.
   * @example "[1]"
   */
  marker!: string;

  /** The fragment. */
  @ApiProperty({ format: 'uuid' })
  chunk_id!: string;

  /** Its document. */
  @ApiProperty({ format: 'uuid' })
  document_id!: string;

  /** Name of the document. */
  document_name!: string;

  /** Where the document lies in the folder that it was uploaded from, its name at the end; null when its upload named none. */
  @ApiProperty({ type: String, nullable: true })
  path!: string | null;

  /** When the document was uploaded; tells documents of one name apart. */
  @ApiProperty({ format: 'date-time' })
  document_created_at!: string;

  /** Its dataset. */
  @ApiProperty({ format: 'uuid' })
  dataset_id!: string;

  /** Score of the search, as in `POST /retrieval/search`. */
  @ApiProperty(SHARE)
  score!: number;

  /** Page on which it begins, from 1; null where there are no pages. */
  @ApiProperty(PAGE)
  page!: number | null;

  /** Page on which it ends, as in `POST /retrieval/search`. */
  @ApiProperty(PAGE)
  page_end!: number | null;

  /** First code unit. */
  @ApiProperty(COUNT)
  char_start!: number;

  /** One past the last code unit. */
  @ApiProperty(COUNT)
  char_end!: number;

  /** The text. */
  text!: string;

  /** Revision of the document that the offsets belong to. */
  @ApiProperty({ type: 'integer', minimum: 1 })
  revision!: number;
}

/** One marker of the answer: the statement that it stands for, and the text of the document that supports it. */
export class ChatCitation {
  /**
   * Unique within the answer.
   * @example "c1"
   */
  id!: string;

  /**
   * The marker as it stands in the answer.
   * @example "[1]"
   */
  marker!: string;

  /** The statement in the answer, without its marker; UTF-16 code units. */
  @ApiProperty(COUNT)
  answer_start!: number;

  /** End of the statement, exclusive. */
  @ApiProperty(COUNT)
  answer_end!: number;

  /** Its document. */
  @ApiProperty({ format: 'uuid' })
  document_id!: string;

  /** Name of the document. */
  document_name!: string;

  /** Where the document lies in the folder that it was uploaded from, its name at the end; null when its upload named none. */
  @ApiProperty({ type: String, nullable: true })
  path!: string | null;

  /** When the document was uploaded; tells documents of one name apart. */
  @ApiProperty({ format: 'date-time' })
  document_created_at!: string;

  /** Its dataset. */
  @ApiProperty({ format: 'uuid' })
  dataset_id!: string;

  /** The fragment. */
  @ApiProperty({ format: 'uuid' })
  chunk_id!: string;

  /** Revision of the document that the offsets belong to. */
  @ApiProperty({ type: 'integer', minimum: 1 })
  revision!: number;

  /** Page on which the fragment begins; null where there are no pages. */
  @ApiProperty(PAGE)
  page!: number | null;

  /** Where `cited_text` stands in the document's canonical text (`GET /documents/{id}/text`); UTF-16 code units. */
  @ApiProperty(COUNT)
  source_char_start!: number;

  /** End of `cited_text`, exclusive. */
  @ApiProperty(COUNT)
  source_char_end!: number;

  /** Exact part of the document, whole sentences; of a row of a table the whole row. */
  cited_text!: string;

  /**
   * Share of the statement's words that `cited_text` holds; 1 when it stands there word for word. 1 for a row that a table's answer is
   * computed from.
   */
  @ApiProperty(SHARE)
  support_score!: number;

  /** Whether `cited_text` was found byte for byte in the stored text at these offsets, read again after the answer. */
  verified!: boolean;

  /** For a row of a table only: its table, as `GET /datasets/{id}/tables/{table}` takes it. */
  @ApiPropertyOptional({ type: String })
  table_id?: string;

  /** For a row of a table only: sheet of the workbook; null where there are none. */
  @ApiPropertyOptional({ type: String, nullable: true })
  sheet?: string | null;

  /** For a row of a table only: its number in the source, from 1. */
  @ApiPropertyOptional({ type: 'integer', minimum: 1 })
  row?: number;
}

/** A part of the answer; UTF-16 code units, `end` exclusive. */
export class AnswerSpan {
  /** First code unit. */
  @ApiProperty(COUNT)
  start!: number;

  /** One past the last code unit. */
  @ApiProperty(COUNT)
  end!: number;

  /** The text. */
  text!: string;
}

/** Whether the sources say what the answer says. */
export class ChatGrounding {
  /**
   * `supported`: every sentence is. `unsupported`: none is. `partial`: some are, or `strict` has left some out. `refused`: there is no
   * answer. `not_applicable`: the message was no question (a greeting, thanks, what the service can do, the list of the documents or a
   * summary of all of them, in one of five languages): nothing of the documents is said, and there is nothing to measure.
   */
  @ApiProperty({ enum: GROUNDING_STATUSES })
  status!: GroundingStatus;

  /** Mean support of the sentences, weighted by their length; 0 for a refusal. */
  @ApiProperty(SHARE)
  score!: number;

  @ApiProperty({
    ...SHARE,
    description:
      `How far the fragments that were found answer the question, whichever sentences the answer has: whether the best of them ` +
      `holds its important words, rare names above all, nearer together than chance brings them together in these datasets. ` +
      `Below ${ANSWERED_THRESHOLD} a model that quotes refuses. A refusal after the model was asked has 0.`,
  })
  answered!: number;

  /** Sentences that no source supports; empty with `strict`, which does not show them. */
  @ApiProperty({ type: [AnswerSpan] })
  unsupported_spans!: AnswerSpan[];

  /** Sentences, list items and code blocks of the model that `strict` has left out because no source supports them. */
  @ApiProperty(COUNT)
  withheld!: number;

  /**
   * How support is measured (`GROUNDING_METHOD` of the installation). `lexical`: the share of a sentence's words that a source says, at
   * most 0.5 where that says another number, unit, name, day or the contrary; a sentence in another language than its source is not supported.
   * `reranker`: the score that the reranking model gives a source for the sentence, among those that hold its numbers. `nli`: the probability that a source entails the
   * sentence, by the model of `GROUNDING_MODEL_PATH`. `table`: no model wrote the answer; a statement over a table computed it from
   * rows of which those that are cited stand in their documents.
   */
  @ApiProperty({ enum: MEASURES })
  method!: (typeof MEASURES)[number];

  /** From this measure on a sentence counts as supported. */
  @ApiProperty(SHARE)
  threshold!: number;
}

/** How the sources were found. */
export class ChatRetrievalReport extends RetrievalReport {
  /** What was searched for: the question, with words of earlier questions when it cannot be understood alone. */
  query!: string;

  @ApiProperty({
    ...SHARE,
    description: `Share of the question's words that the best results hold, weighted by rarity; below ${EVIDENCE_THRESHOLD} the question is refused.`,
  })
  evidence!: number;

  /** Null unless the answer is made of rows of a table. */
  @ApiProperty({ type: ChatTableReading, nullable: true })
  table!: ChatTableReading | null;
}

/** What an answer carries beside its text; in a stream the last chunk carries it. */
export class ChatAnswerDetails {
  /** Correlates the answer with logs and errors; also in `X-Request-ID`. */
  request_id!: string;

  /** One for each marker of the answer, in order. */
  @ApiProperty({ type: [ChatCitation] })
  citations!: ChatCitation[];

  /** null with `grounding: off`, unless the answer is a refusal. */
  @ApiProperty({ type: ChatGrounding, nullable: true })
  grounding!: ChatGrounding | null;

  /** null when there is an answer. */
  @ApiProperty({ type: ChatRefusal, nullable: true })
  refusal!: ChatRefusal | null;

  /** How many markers were removed from the model's text because they named no source. */
  @ApiProperty(COUNT)
  removed_markers!: number;

  /** How many links, images, addresses and HTML tags of the answer are shown as text, because they may lead nowhere. */
  @ApiProperty(COUNT)
  removed_links!: number;

  /** How the sources were found. */
  @ApiProperty({ type: ChatRetrievalReport })
  retrieval!: ChatRetrievalReport;

  /** Tokens that were used. */
  @ApiProperty({ type: ChatUsage })
  usage!: ChatUsage;

  /** Only of requests with `conversation_id`. */
  @ApiPropertyOptional({ type: ChatConversation })
  conversation?: ChatConversation;
}

/** An answer in OpenAI's shape with citations, sources and grounding. */
export class ChatCompletion extends ChatAnswerDetails {
  /** The answer. */
  id!: string;

  /** Kind of this object. */
  @ApiProperty({ enum: ['chat.completion'] })
  object!: 'chat.completion';

  /** Unix seconds. */
  @ApiProperty(COUNT)
  created!: number;

  /** The model that answered, as in `GET /models`; `dataset:<id>` where the request named it so. */
  model!: string;

  /** Exactly one. */
  @ApiProperty({ type: [ChatChoice] })
  choices!: ChatChoice[];

  /**
   * The fragments that were given to the model, best first; of a refusal without it the up to five nearest, which do not answer the
   * question and are not cited; of a list of the documents the beginning of each, at most 50, with the score 0.
   */
  @ApiProperty({ type: [ChatAnswerSource] })
  sources!: ChatAnswerSource[];
}
