import type { ChatModel, ChatRequest, ModelPurpose } from '#libs/ai';
import type { AnswerPart } from '../../tables/index.js';
import type { DatasetId } from '#libs/common';
import type { AnswerCitation } from '#libs/answering';
import type { GroundingMode } from './chat-completion-request.dto.js';
import type { ChatAnswerSource, ChatCitation, ChatRetrievalReport } from './chat-completion.dto.js';
import type { AnswerMeasure, RetrievalOutcome } from '../../retrieval/index.js';
import type { ConversationId, TurnId } from './conversation.entity.js';
import type { NextStep } from './next-steps.service.js';
import type { RefusalCode } from './refusals.js';

/** A fragment that the model is given, with the fields that its citations need. */
export interface TurnSource extends ChatAnswerSource {
  /** Of a row of a table: which one it is. A citation of it shows the whole row. */
  readonly tableRow?: Required<Pick<ChatCitation, 'table_id' | 'sheet' | 'row'>>;
}

/** The answer to a message that is not a question. */
export interface TalkAnswer {
  /** Markdown. */
  readonly content: string;
  readonly sources: readonly TurnSource[];
  /** Of the summary of a document; of all else none. */
  readonly citations: readonly AnswerCitation[];
}

/** A question with everything that is needed to answer it; its permissions are checked and its search is done. */
export interface ChatTurn {
  /** Id of the completion. */
  readonly id: string;
  readonly requestId: string;
  /** Unix seconds. */
  readonly created: number;
  /** Name of the model, as in `GET /models`. */
  readonly model: string;
  /** The model that writes the answer. */
  readonly chatModel: ChatModel;
  /** The datasets that were searched. */
  readonly datasetIds: readonly DatasetId[];
  /** The conversation that the turn is kept in; null: it is not kept. */
  readonly conversationId: ConversationId | null;
  /** Turns of the conversation whose answers are among the earlier messages, and the turns that these answers in turn depend on. */
  readonly earlierTurnIds: readonly TurnId[];
  /** When the question came. */
  readonly askedAt: Date;
  /** The last message as the user wrote it; decides the language of a refusal. */
  readonly asked: string;
  /** What the user wrote before, the latest last. */
  readonly earlier: readonly string[];
  readonly grounding: GroundingMode;
  /** What models are called for, as usage, budgets and turns see it. */
  readonly purpose: ModelPurpose;
  /** The answer ends before the first of these texts. */
  readonly stop: readonly string[];
  /** Whether a stream ends with OpenAI's own usage chunk. */
  readonly includeUsage: boolean;
  /** Best first; where the question is refused before a model is asked, the nearest passages, which do not answer it. */
  readonly sources: readonly TurnSource[];
  /** How far the search results answer the question, 0 to 1. */
  readonly answered: number;
  /** What decided whether a model is asked. */
  readonly measure: AnswerMeasure;
  /** What was found, for a refusal to say what is missing. */
  readonly found: Pick<RetrievalOutcome, 'question' | 'results'>;
  /** What was seen to help where the question is refused before a model is asked; null where nothing was. */
  readonly nextStep: NextStep | null;
  readonly retrieval: ChatRetrievalReport;
  /** What a statement over a table gave, in words; null where none was asked. Sentences that say it are supported. */
  readonly computed: string | null;
  /** The documents of the table that was asked; none where none was. */
  readonly tableDocuments: readonly string[];
  /**
   * What to do: call the model, give the answer of a table, answer a message that is not a question, or refuse because the search found too
   * little.
   */
  readonly next:
    | { readonly kind: 'ask'; readonly request: ChatRequest }
    | { readonly kind: 'table'; readonly parts: readonly AnswerPart[]; readonly maxTokens: number | undefined }
    | { readonly kind: 'talk'; readonly answer: TalkAnswer; readonly maxTokens: number | undefined }
    | { readonly kind: 'refuse'; readonly code: Extract<RefusalCode, 'NO_RESULTS' | 'INSUFFICIENT_EVIDENCE'> };
}
