/** An expected result. At least one field is given, and one result must meet all given fields. */
export interface RelevantItem {
  readonly document_id?: string;
  readonly chunk_id?: string;
  /** Text of a chunk, compared without regard to case and kinds of white space. */
  readonly text?: string;
}

/** A question with its expected results and answer. */
export interface EvaluationCase {
  readonly query: string;
  readonly relevant: readonly RelevantItem[];
  readonly expected_answer: string | null;
  /** False: the datasets hold no answer, and a chat should say so. */
  readonly answerable: boolean;
  readonly tags: readonly string[];
  /** Made by the service, not by a person. */
  readonly generated: boolean;
  /** Whether jobs use it: a generated case counts once someone has approved it. */
  readonly approved: boolean;
  /** The document whose text it was made of: the case goes when that is deleted or put into quarantine. Absent: it is a person's own. */
  readonly source_document_id?: string;
}

export const MAX_CASES = 2_000;
export const MAX_QUERY = 4_096;
export const MAX_RELEVANT = 100;
export const MAX_EXPECTED_ANSWER = 16_384;
export const MAX_TAGS = 20;
export const MAX_TAG = 64;
