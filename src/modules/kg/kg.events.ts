import { defineEvent } from '#libs/events';

export interface KgCompleted {
  readonly dataset_id: string;
  readonly kg_id: string;
  /** Documents that were looked at, those included whose part was there already. */
  readonly documents: number;
  /** `completed`; `incomplete` where it ended before all documents were looked at. */
  readonly status: string;
  /** Code of why it is incomplete, else null. */
  readonly reason: string | null;
  /** `heuristic` or `llm`. */
  readonly mode: string;
  /** What it took of a chat model: nothing by rules. */
  readonly calls: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cost: number;
  /** Stretches of text that the model gave nothing for. */
  readonly skipped_chunks: number;
  /** What was left out of its answers, each once, for example `chunk.malformed`; how often is read by `kg_id`. */
  readonly skipped: readonly string[];
}

/** An extraction that someone asked for has come to its end; the graph is read by `kg_id`. */
export const KG_COMPLETED = defineEvent<KgCompleted>({
  type: 'kg.completed',
  version: 1,
  publisher: 'kg',
  subject: 'dataset_id',
});
