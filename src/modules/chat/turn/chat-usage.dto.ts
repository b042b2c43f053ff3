import { Answer } from '#libs/http';

/** Tokens, estimated without the model's vocabulary where the model does not tell; all 0 when the model was not asked. */
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
