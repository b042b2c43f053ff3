import { Answer } from '#libs/http';

/** Numbers of tokens, estimated where the model does not report them; all 0 when no model was called. */
export class ChatUsage {
  /** Number of tokens of the question and the sources. */
  @Answer.Count()
  prompt_tokens!: number;

  /** Number of tokens of the answer. */
  @Answer.Count()
  completion_tokens!: number;

  /** Sum of `prompt_tokens` and `completion_tokens`. */
  @Answer.Count()
  total_tokens!: number;
}
