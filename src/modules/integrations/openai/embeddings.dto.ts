import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsIn, IsInt, IsOptional, IsString, Length, Min } from 'class-validator';
import { TolerateUnknownFields } from '#libs/http';

export const INPUTS_MAX = 256;
export const INPUT_LENGTH_MAX = 65_536;
const INPUT = { type: 'string', minLength: 1, maxLength: INPUT_LENGTH_MAX } as const;
export const ENCODING_FORMATS = ['float', 'base64'] as const;
export type EncodingFormat = (typeof ENCODING_FORMATS)[number];
export const INPUT_TYPES = ['document', 'query'] as const;
export type InputType = (typeof INPUT_TYPES)[number];

/** Texts to embed, in the form of OpenAI's interface. */
@TolerateUnknownFields()
export class CreateEmbeddingsRequest {
  /** A text, or 1 to 256 texts. Lists of token numbers are not supported. What a model cannot read of a long text is left out. */
  @ApiProperty({
    oneOf: [INPUT, { type: 'array', minItems: 1, maxItems: INPUTS_MAX, items: INPUT }],
    example: ['How long is the notice period?'],
  })
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? [value] : value))
  @IsArray({ message: 'input must be a text or a list of texts' })
  @ArrayMinSize(1)
  @ArrayMaxSize(INPUTS_MAX)
  @IsString({ each: true, message: 'each input must be a text; token numbers are not supported' })
  @Length(1, INPUT_LENGTH_MAX, { each: true })
  input!: string | string[];

  /** Name of an embedding model as `GET /models` shows it, or `default`: the one of this installation. */
  @ApiPropertyOptional({ type: String, nullable: true, minLength: 1, maxLength: 200, default: 'default' })
  @IsOptional()
  @IsString()
  @Length(1, 200)
  model?: string | null;

  /** `float`: lists of numbers. `base64`: the bytes of 32-bit floats, little-endian, as OpenAI's SDKs ask for them. */
  @ApiPropertyOptional({ enum: ENCODING_FORMATS, nullable: true, default: 'float' })
  @IsOptional()
  @IsIn(ENCODING_FORMATS)
  encoding_format?: EncodingFormat | null;

  /** Length of the vectors; only the model's own is possible. */
  @ApiPropertyOptional({ type: 'integer', nullable: true, minimum: 1 })
  @IsOptional()
  @IsInt()
  @Min(1)
  dimensions?: number | null;

  /** What the texts are for, where the model embeds a question unlike a passage. An addition to OpenAI's interface. */
  @ApiPropertyOptional({ enum: INPUT_TYPES, nullable: true, default: 'document' })
  @IsOptional()
  @IsIn(INPUT_TYPES)
  input_type?: InputType | null;

  /** Accepted without effect: who asks is whom the credential names. */
  @ApiPropertyOptional({ type: String, nullable: true, maxLength: 512 })
  @IsOptional()
  @IsString()
  @Length(0, 512)
  user?: string | null;
}

/** The vector of one text. */
export class EmbeddingDto {
  /** Always `embedding`. */
  @ApiProperty({ enum: ['embedding'] })
  object!: 'embedding';

  /** Place of the text in `input`. */
  @ApiProperty({ type: 'integer', minimum: 0 })
  index!: number;

  /** A vector of length 1, in the form that `encoding_format` names. */
  @ApiProperty({
    oneOf: [
      { type: 'array', items: { type: 'number' } },
      { type: 'string', format: 'byte' },
    ],
  })
  embedding!: number[] | string;
}

/** What was read. */
export class EmbeddingsUsage {
  /** Tokens of the texts; counted here where the model does not tell. */
  @ApiProperty({ type: 'integer', minimum: 0 })
  prompt_tokens!: number;

  /** The same: nothing is written. */
  @ApiProperty({ type: 'integer', minimum: 0 })
  total_tokens!: number;
}

/** Vectors in the order of the texts. */
export class EmbeddingList {
  /** Always `list`. */
  @ApiProperty({ enum: ['list'] })
  object!: 'list';

  /** One vector for each text, in their order. */
  @ApiProperty({ type: [EmbeddingDto] })
  data!: EmbeddingDto[];

  /** Name of the model that made them. */
  model!: string;

  /** What was read. */
  usage!: EmbeddingsUsage;
}
