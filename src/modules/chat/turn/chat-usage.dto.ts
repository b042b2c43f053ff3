import { ApiProperty } from '@nestjs/swagger';

const COUNT = { type: 'integer', minimum: 0 } as const;

/** Tokens, estimated without the model's vocabulary where the model does not tell; all 0 when the model was not asked. */
export class ChatUsage {
  /** Of the question and the sources. */
  @ApiProperty(COUNT)
  prompt_tokens!: number;

  /** Of the answer. */
  @ApiProperty(COUNT)
  completion_tokens!: number;

  /** Sum of both. */
  @ApiProperty(COUNT)
  total_tokens!: number;
}
