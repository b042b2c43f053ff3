import { ApiProperty } from '@nestjs/swagger';
import { GROUNDING_METHODS } from '#libs/ai';
import { ANSWERED_THRESHOLD } from '#libs/answering';
import { Answer } from '#libs/http';
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
const SHARE = { type: Number, minimum: 0, maximum: 1 } as const;

/** The answer as a message. */
export class ChatAnswerMessage {
  /** Always `assistant`. */
  @Answer.Choice(['assistant'])
  role!: 'assistant';

  /** The answer, with `[n]` after what source n supports; for a refusal, the text of the refusal. */
  content!: string;

  /** The text of the refusal again, in the field where OpenAI's clients expect it; null when there is an answer. */
  @Answer.Text({ nullable: true })
  refusal!: string | null;
}

/** The one answer. */
export class ChatChoice {
  /** Always 0. */
  @Answer.Count()
  index!: number;

  /** The answer. */
  @Answer.Nested(ChatAnswerMessage)
  message!: ChatAnswerMessage;

  /**
   * Why the answer ended. `stop`: it is complete (a refusal too) or reached a text of `stop`. `length`: it was cut at `max_tokens`.
   * `content_filter`: the model's provider stopped it.
   */
  @Answer.Choice(FINISH_REASONS)
  finish_reason!: FinishReason;
}

/** A fragment that was given to the model. Offsets are UTF-16 code units of the document's canonical text. */
export class ChatAnswerSource {
  /** Number of the source in the markers, from 1. */
  @Answer.Integer({ min: 1 })
  number!: number;

  /**
   * Marker by which the answer cites the source.
   * @example "[1]"
   */
  marker!: string;

  /** Identifier of the chunk whose text the fragment is. */
  @Answer.Uuid()
  chunk_id!: string;

  /** Identifier of the document. */
  @Answer.Uuid()
  document_id!: string;

  /** Name of the document. */
  document_name!: string;

  /** Path of the document in the folder that it was uploaded from, ending with its name; null when the upload named no path. */
  @Answer.Text({ nullable: true })
  path!: string | null;

  /** Time at which the document was uploaded; tells documents of one name apart. */
  @Answer.Instant()
  document_created_at!: string;

  /** Identifier of the dataset. */
  @Answer.Uuid()
  dataset_id!: string;

  /** Score of the fragment in the search, 0 to 1, as in `POST /retrieval/search`. */
  @Answer.Share()
  score!: number;

  /** Page on which the fragment begins, from 1; null where the document has no pages. */
  @Answer.Integer({ nullable: true, min: 1 })
  page!: number | null;

  /** Page on which the fragment ends, as in `POST /retrieval/search`; null where that one is null. */
  @Answer.Integer({ nullable: true, min: 1 })
  page_end!: number | null;

  /** Offset of the first code unit of the fragment. */
  @Answer.Count()
  char_start!: number;

  /** Offset one past the last code unit of the fragment. */
  @Answer.Count()
  char_end!: number;

  /** Text of the fragment. */
  text!: string;

  /**
   * Headings above the fragment, outermost first. For rows of a table the last one has the names of the columns, divided by ` | ` as the cells
   * are. Absent in answers that were kept before this was recorded, and for messages that are answered without a search.
   */
  @Answer.Texts({ optional: true })
  heading_path?: string[];

  /** Revision of the document that the offsets refer to. */
  @Answer.Integer({ min: 1 })
  revision!: number;
}

/** A statement of the answer with its marker, and the text of a document that supports it. */
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
  @Answer.Count()
  answer_start!: number;

  /** End of the statement in the answer, exclusive, in UTF-16 code units. */
  @Answer.Count()
  answer_end!: number;

  /** Identifier of the document. */
  @Answer.Uuid()
  document_id!: string;

  /** Name of the document. */
  document_name!: string;

  /** Path of the document in the folder that it was uploaded from, ending with its name; null when the upload named no path. */
  @Answer.Text({ nullable: true })
  path!: string | null;

  /** Time at which the document was uploaded; tells documents of one name apart. */
  @Answer.Instant()
  document_created_at!: string;

  /** Identifier of the dataset. */
  @Answer.Uuid()
  dataset_id!: string;

  /** Identifier of the chunk. */
  @Answer.Uuid()
  chunk_id!: string;

  /** Revision of the document that the offsets refer to. */
  @Answer.Integer({ min: 1 })
  revision!: number;

  /** Page on which the fragment begins, from 1; null where the document has no pages. */
  @Answer.Integer({ nullable: true, min: 1 })
  page!: number | null;

  /** Start of `cited_text` in the document's canonical text (`GET /documents/{id}/text`), in UTF-16 code units. */
  @Answer.Count()
  source_char_start!: number;

  /** End of `cited_text`, exclusive, in UTF-16 code units. */
  @Answer.Count()
  source_char_end!: number;

  /** Exact text of the document: whole sentences; for a row of a table, the whole row. */
  cited_text!: string;

  /**
   * Share of the statement's words that `cited_text` contains, 0 to 1; 1 when it contains the statement word for word. Always 1 for a row of a
   * table that the answer is computed from.
   */
  @Answer.Share()
  support_score!: number;

  /** Whether `cited_text` was found byte for byte at these offsets when the stored text was read again after the answer. */
  verified!: boolean;

  /** Only for a row of a table: identifier of the table, as `GET /datasets/{id}/tables/{table}` takes it. */
  @Answer.Text({ optional: true })
  table_id?: string;

  /** Only for a row of a table: sheet of the workbook; null where the document has no sheets. */
  @Answer.Text({ optional: true, nullable: true })
  sheet?: string | null;

  /** Only for a row of a table: number of the row in the source, from 1. */
  @Answer.Integer({ optional: true, min: 1 })
  row?: number;
}

/** A part of the answer; UTF-16 code units, `end` exclusive. */
export class AnswerSpan {
  /** Offset of the first code unit. */
  @Answer.Count()
  start!: number;

  /** Offset one past the last code unit. */
  @Answer.Count()
  end!: number;

  /** Text of the part. */
  text!: string;
}

/** Whether the sources say what the answer says. */
export class ChatGrounding {
  /**
   * How much of the answer the sources support. `supported`: every sentence. `unsupported`: no sentence. `partial`: some sentences, `strict`
   * left some out, or one of two or three questions of the message has no answer, which the answer says (the model that quotes). `refused`: there is no answer. `not_applicable`: the message was not a question (a greeting, thanks, what the service can do,
   * the list of the documents or a summary of all of them, in one of five languages), so the answer states nothing from the documents that could
   * be measured.
   */
  @Answer.Choice(GROUNDING_STATUSES)
  status!: GroundingStatus;

  /** Mean support of the sentences, weighted by their length, 0 to 1; 0 for a refusal. */
  @Answer.Share()
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
  @Answer.NestedList(AnswerSpan)
  unsupported_spans!: AnswerSpan[];

  /** Number of sentences, list items and code blocks of the model that `strict` left out because no source supports them. */
  @Answer.Count()
  withheld!: number;

  /**
   * How support is measured (the setting `GROUNDING_METHOD`). `lexical`: the share of a sentence's words that a source contains, at most 0.5
   * where the source has another number, unit, name or day or says the contrary; a sentence in another language than its source is not supported.
   * `reranker`: the highest score that the reranker gives the sentence with a source that holds its numbers. `nli`: the probability that a source
   * entails the sentence, by the model of `GROUNDING_MODEL_PATH`. `table`: no model wrote the answer; an SQL statement computed it from rows of a
   * table, and the cited rows were found in their documents.
   */
  @Answer.Choice(MEASURES)
  method!: (typeof MEASURES)[number];

  /** Measure from which a sentence counts as supported, 0 to 1. */
  @Answer.Share()
  threshold!: number;
}

/** How the sources were found. */
export class ChatRetrievalReport extends RetrievalReport {
  /** Text that was searched for: the question, together with words of earlier questions when it cannot be understood alone. */
  query!: string;

  @ApiProperty({
    ...SHARE,
    description: `Share of the question's words that the best results contain, weighted by rarity, 0 to 1; below ${EVIDENCE_THRESHOLD} the question is refused.`,
  })
  evidence!: number;

  /** How the table was queried; null unless the answer is computed from rows of a table. */
  @Answer.Nested(ChatTableReading, { nullable: true })
  table!: ChatTableReading | null;
}

/** What an answer contains beside its text; in a stream it is in the last chunk. */
export class ChatAnswerDetails {
  /** Identifier of the request in logs and errors; also in `X-Request-ID`. */
  request_id!: string;

  /** Citations, one for each marker of the answer, in order. */
  @Answer.NestedList(ChatCitation)
  citations!: ChatCitation[];

  /** Support of the answer by its sources; null with `grounding: off`, unless the answer is a refusal. */
  @Answer.Nested(ChatGrounding, { nullable: true })
  grounding!: ChatGrounding | null;

  /** Reason for the refusal; null when there is an answer. */
  @Answer.Nested(ChatRefusal, { nullable: true })
  refusal!: ChatRefusal | null;

  /** Number of markers that were removed from the model's text because they named no source. */
  @Answer.Count()
  removed_markers!: number;

  /** Number of links, images, addresses and HTML tags of the answer that are shown as plain text because answers may not contain them. */
  @Answer.Count()
  removed_links!: number;

  /** How the sources were found. */
  @Answer.Nested(ChatRetrievalReport)
  retrieval!: ChatRetrievalReport;

  /** Number of tokens used. */
  @Answer.Nested(ChatUsage)
  usage!: ChatUsage;

  /** Where the answer was kept; only for requests with `conversation_id`. */
  @Answer.Nested(ChatConversation, { optional: true })
  conversation?: ChatConversation;
}

/** An answer in OpenAI's shape with citations, sources and grounding. */
export class ChatCompletion extends ChatAnswerDetails {
  /** Identifier of the answer. */
  id!: string;

  /** Kind of this object. */
  @Answer.Choice(['chat.completion'])
  object!: 'chat.completion';

  /** Time of the answer, in Unix seconds. */
  @Answer.Count()
  created!: number;

  /** Model that answered, as in `GET /models`; `dataset:<id>` where the request named the model so. */
  model!: string;

  /** The answer; always one element. */
  @Answer.NestedList(ChatChoice)
  choices!: ChatChoice[];

  /**
   * Fragments that were given to the model, best first. For a refusal without a model: up to five nearest fragments, which do not answer the
   * question and are not cited. For a list of the documents: the beginning of each, at most 50, with the score 0.
   */
  @Answer.NestedList(ChatAnswerSource)
  sources!: ChatAnswerSource[];
}
