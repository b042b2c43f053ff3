import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { GROUNDING_METHODS } from '#libs/ai';
import { ANSWERED_THRESHOLD } from '#libs/answering';
import { EVIDENCE_THRESHOLD } from '#libs/ranking';
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

  /** The answer, with `[n]` after what source n supports; for a refusal, the text of the refusal. */
  content!: string;

  /** The text of the refusal again, in the field where OpenAI's clients expect it; null when there is an answer. */
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

  /**
   * Why the answer ended. `stop`: it is complete (a refusal too) or reached a text of `stop`. `length`: it was cut at `max_tokens`.
   * `content_filter`: the model's provider stopped it.
   */
  @ApiProperty({ enum: FINISH_REASONS })
  finish_reason!: FinishReason;
}

/** A fragment that was given to the model. Offsets are UTF-16 code units of the document's canonical text. */
export class ChatAnswerSource {
  /** Number of the source in the markers, from 1. */
  @ApiProperty({ type: 'integer', minimum: 1 })
  number!: number;

  /**
   * Marker by which the answer cites the source.
   * @example "[1]"
   */
  marker!: string;

  /** Identifier of the chunk whose text the fragment is. */
  @ApiProperty({ format: 'uuid' })
  chunk_id!: string;

  /** Identifier of the document. */
  @ApiProperty({ format: 'uuid' })
  document_id!: string;

  /** Name of the document. */
  document_name!: string;

  /** Path of the document in the folder that it was uploaded from, ending with its name; null when the upload named no path. */
  @ApiProperty({ type: String, nullable: true })
  path!: string | null;

  /** Time at which the document was uploaded; tells documents of one name apart. */
  @ApiProperty({ format: 'date-time' })
  document_created_at!: string;

  /** Identifier of the dataset. */
  @ApiProperty({ format: 'uuid' })
  dataset_id!: string;

  /** Score of the fragment in the search, 0 to 1, as in `POST /retrieval/search`. */
  @ApiProperty(SHARE)
  score!: number;

  /** Page on which the fragment begins, from 1; null where the document has no pages. */
  @ApiProperty(PAGE)
  page!: number | null;

  /** Page on which the fragment ends, as in `POST /retrieval/search`. */
  @ApiProperty(PAGE)
  page_end!: number | null;

  /** Offset of the first code unit of the fragment. */
  @ApiProperty(COUNT)
  char_start!: number;

  /** Offset one past the last code unit of the fragment. */
  @ApiProperty(COUNT)
  char_end!: number;

  /** Text of the fragment. */
  text!: string;

  /** Revision of the document that the offsets refer to. */
  @ApiProperty({ type: 'integer', minimum: 1 })
  revision!: number;
}

/** One marker of the answer: the statement that it stands for, and the text of the document that supports it. */
export class ChatCitation {
  /**
   * Identifier of the citation, unique within the answer.
   * @example "c1"
   */
  id!: string;

  /**
   * The marker as the answer shows it.
   * @example "[1]"
   */
  marker!: string;

  /** Start of the cited statement in the answer, in UTF-16 code units; the statement excludes its marker. */
  @ApiProperty(COUNT)
  answer_start!: number;

  /** End of the statement in the answer, exclusive, in UTF-16 code units. */
  @ApiProperty(COUNT)
  answer_end!: number;

  /** Identifier of the document. */
  @ApiProperty({ format: 'uuid' })
  document_id!: string;

  /** Name of the document. */
  document_name!: string;

  /** Path of the document in the folder that it was uploaded from, ending with its name; null when the upload named no path. */
  @ApiProperty({ type: String, nullable: true })
  path!: string | null;

  /** Time at which the document was uploaded; tells documents of one name apart. */
  @ApiProperty({ format: 'date-time' })
  document_created_at!: string;

  /** Identifier of the dataset. */
  @ApiProperty({ format: 'uuid' })
  dataset_id!: string;

  /** Identifier of the chunk. */
  @ApiProperty({ format: 'uuid' })
  chunk_id!: string;

  /** Revision of the document that the offsets refer to. */
  @ApiProperty({ type: 'integer', minimum: 1 })
  revision!: number;

  /** Page on which the fragment begins, from 1; null where the document has no pages. */
  @ApiProperty(PAGE)
  page!: number | null;

  /** Start of `cited_text` in the document's canonical text (`GET /documents/{id}/text`), in UTF-16 code units. */
  @ApiProperty(COUNT)
  source_char_start!: number;

  /** End of `cited_text`, exclusive, in UTF-16 code units. */
  @ApiProperty(COUNT)
  source_char_end!: number;

  /** Exact text of the document: whole sentences; for a row of a table, the whole row. */
  cited_text!: string;

  /**
   * Share of the statement's words that `cited_text` contains, 0 to 1; 1 when it contains the statement word for word, and for a row from which a
   * table's answer is computed.
   */
  @ApiProperty(SHARE)
  support_score!: number;

  /** Whether `cited_text` was found byte for byte at these offsets when the stored text was read again after the answer. */
  verified!: boolean;

  /** Only for a row of a table: identifier of the table, as `GET /datasets/{id}/tables/{table}` takes it. */
  @ApiPropertyOptional({ type: String })
  table_id?: string;

  /** Only for a row of a table: sheet of the workbook; null where the document has no sheets. */
  @ApiPropertyOptional({ type: String, nullable: true })
  sheet?: string | null;

  /** Only for a row of a table: number of the row in the source, from 1. */
  @ApiPropertyOptional({ type: 'integer', minimum: 1 })
  row?: number;
}

/** A part of the answer; UTF-16 code units, `end` exclusive. */
export class AnswerSpan {
  /** Offset of the first code unit. */
  @ApiProperty(COUNT)
  start!: number;

  /** Offset one past the last code unit. */
  @ApiProperty(COUNT)
  end!: number;

  /** Text of the part. */
  text!: string;
}

/** Whether the sources say what the answer says. */
export class ChatGrounding {
  /**
   * How much of the answer the sources support. `supported`: every sentence. `unsupported`: no sentence. `partial`: some sentences, or `strict`
   * left some out. `refused`: there is no answer. `not_applicable`: the message was not a question (a greeting, thanks, what the service can do,
   * the list of the documents or a summary of all of them, in one of five languages), so the answer states nothing from the documents that could
   * be measured.
   */
  @ApiProperty({ enum: GROUNDING_STATUSES })
  status!: GroundingStatus;

  /** Mean support of the sentences, weighted by their length, 0 to 1; 0 for a refusal. */
  @ApiProperty(SHARE)
  score!: number;

  @ApiProperty({
    ...SHARE,
    description:
      `How well the fragments that were found answer the question, 0 to 1, regardless of the sentences of the answer: whether the best ` +
      `fragment contains the important words of the question, rare names above all, closer together than by chance in these datasets. ` +
      `Below ${ANSWERED_THRESHOLD} a model that quotes refuses. 0 for a refusal after the model was asked.`,
  })
  answered!: number;

  /** Sentences that no source supports; empty with `strict`, which does not show them. */
  @ApiProperty({ type: [AnswerSpan] })
  unsupported_spans!: AnswerSpan[];

  /** Number of sentences, list items and code blocks of the model that `strict` left out because no source supports them. */
  @ApiProperty(COUNT)
  withheld!: number;

  /**
   * How support is measured (the setting `GROUNDING_METHOD`). `lexical`: the share of a sentence's words that a source says, at most 0.5 where the
   * source says another number, unit, name, day or the contrary; a sentence in another language than its source is not supported. `reranker`: the
   * highest score that the reranker gives the sentence with a source that holds its numbers. `nli`: the probability that a source entails the
   * sentence, by the model of `GROUNDING_MODEL_PATH`. `table`: no model wrote the answer; an SQL statement computed it from rows of a table, and
   * the cited rows were found in their documents.
   */
  @ApiProperty({ enum: MEASURES })
  method!: (typeof MEASURES)[number];

  /** Lowest measure with which a sentence counts as supported, 0 to 1. */
  @ApiProperty(SHARE)
  threshold!: number;
}

/** How the sources were found. */
export class ChatRetrievalReport extends RetrievalReport {
  /** Text that was searched for: the question, with words of earlier questions when it cannot be understood alone. */
  query!: string;

  @ApiProperty({
    ...SHARE,
    description: `Share of the question's words that the best results contain, weighted by rarity, 0 to 1; below ${EVIDENCE_THRESHOLD} the question is refused.`,
  })
  evidence!: number;

  /** How the table was queried; null unless the answer is computed from rows of a table. */
  @ApiProperty({ type: ChatTableReading, nullable: true })
  table!: ChatTableReading | null;
}

/** What an answer carries beside its text; in a stream the last chunk carries it. */
export class ChatAnswerDetails {
  /** Identifier of the request in logs and errors; also in `X-Request-ID`. */
  request_id!: string;

  /** Citations, one for each marker of the answer, in order. */
  @ApiProperty({ type: [ChatCitation] })
  citations!: ChatCitation[];

  /** Support of the answer by its sources; null with `grounding: off`, unless the answer is a refusal. */
  @ApiProperty({ type: ChatGrounding, nullable: true })
  grounding!: ChatGrounding | null;

  /** Reason of the refusal; null when there is an answer. */
  @ApiProperty({ type: ChatRefusal, nullable: true })
  refusal!: ChatRefusal | null;

  /** Number of markers that were removed from the model's text because they named no source. */
  @ApiProperty(COUNT)
  removed_markers!: number;

  /** Number of links, images, addresses and HTML tags of the answer that are shown as plain text because answers may not contain them. */
  @ApiProperty(COUNT)
  removed_links!: number;

  /** How the sources were found. */
  @ApiProperty({ type: ChatRetrievalReport })
  retrieval!: ChatRetrievalReport;

  /** Number of tokens used. */
  @ApiProperty({ type: ChatUsage })
  usage!: ChatUsage;

  /** Where the answer was kept; only for requests with `conversation_id`. */
  @ApiPropertyOptional({ type: ChatConversation })
  conversation?: ChatConversation;
}

/** An answer in OpenAI's shape with citations, sources and grounding. */
export class ChatCompletion extends ChatAnswerDetails {
  /** Identifier of the answer. */
  id!: string;

  /** Kind of this object. */
  @ApiProperty({ enum: ['chat.completion'] })
  object!: 'chat.completion';

  /** Time of the answer, in Unix seconds. */
  @ApiProperty(COUNT)
  created!: number;

  /** Model that answered, as in `GET /models`; `dataset:<id>` where the request named the model so. */
  model!: string;

  /** The answer; always one element. */
  @ApiProperty({ type: [ChatChoice] })
  choices!: ChatChoice[];

  /**
   * Fragments that were given to the model, best first. For a refusal without a model: up to five nearest fragments, which do not answer the
   * question and are not cited. For a list of the documents: the beginning of each, at most 50, with the score 0.
   */
  @ApiProperty({ type: [ChatAnswerSource] })
  sources!: ChatAnswerSource[];
}
