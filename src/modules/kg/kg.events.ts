import { defineEvent } from '#libs/events';

export interface KgCompleted {
  readonly dataset_id: string;
  readonly kg_id: string;
  /** Number of documents looked at, including those that were extracted already. */
  readonly documents: number;
  /** `completed`; `incomplete` where it ended before all documents were looked at. */
  readonly status: string;
  /** Code of the reason why it is incomplete; otherwise null. */
  readonly reason: string | null;
  /** `heuristic` or `llm`. */
  readonly mode: string;
  /** Usage of the chat model; all 0 with `heuristic`. */
  readonly calls: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cost: number;
  /** Number of pieces of text for which the model gave no usable answer. */
  readonly skipped_chunks: number;
  /** Kinds of omissions from the model's answers, each once, for example `chunk.malformed`; their counts are read by `kg_id`. */
  readonly skipped: readonly string[];
}

/** A requested extraction has ended; the graph is read by `kg_id`. */
export const KG_COMPLETED = defineEvent<KgCompleted>({
  type: 'kg.completed',
  version: 1,
  publisher: 'kg',
  subject: 'dataset_id',
});
