import { ApiProperty } from '@nestjs/swagger';

const COUNT = { type: 'integer', minimum: 0 } as const;

/** Tokens, estimated without the model's vocabulary where the model does not tell; all 0 when the model was not asked. */
export class ChatUsage {
  /** Number of tokens of the question and the sources. */
  @ApiProperty(COUNT)
  prompt_tokens!: number;

  /** Number of tokens of the answer. */
  @ApiProperty(COUNT)
  completion_tokens!: number;

  /** Sum of `prompt_tokens` and `completion_tokens`. */
  @ApiProperty(COUNT)
  total_tokens!: number;
}
