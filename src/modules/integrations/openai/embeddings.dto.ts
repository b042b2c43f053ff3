import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsOptional, IsString, Length } from 'class-validator';
import { Answer, Choice, Integer, Text, TolerateUnknownFields } from '#libs/http';

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
  /** A text, or 1 to 256 texts. Lists of token numbers are not supported. Text beyond what the model can read is ignored. */
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

  /** Name of an embedding model as `GET /models` shows it, or `default`: the configured model. null or left out: `default`. */
  @Text({ optional: true, nullable: true, length: [1, 200], default: 'default' })
  model?: string | null;

  /**
   * Form of the vectors. `float`: lists of numbers. `base64`: the bytes of 32-bit floats, little-endian, as OpenAI's SDKs request them. null or
   * left out: `float`.
   */
  @Choice(ENCODING_FORMATS, { optional: true, nullable: true, default: 'float' })
  encoding_format?: EncodingFormat | null;

  /** Number of dimensions; only the model's own number is possible. null or left out: that number. */
  @Integer({ optional: true, nullable: true, min: 1 })
  dimensions?: number | null;

  /**
   * Purpose of the texts, for models that embed questions and passages differently. An addition to OpenAI's interface. null or left out:
   * `document`.
   */
  @Choice(INPUT_TYPES, { optional: true, nullable: true, default: 'document' })
  input_type?: InputType | null;

  /** Accepted without effect, also when null: the credential identifies the caller. */
  @ApiPropertyOptional({ type: String, nullable: true, maxLength: 512 })
  @IsOptional()
  @IsString()
  @Length(0, 512)
  user?: string | null;
}

/** The vector of one text. */
export class EmbeddingDto {
  /** Always `embedding`. */
  @Answer.Choice(['embedding'])
  object!: 'embedding';

  /** Position of the text in `input`, from 0. */
  @Answer.Count()
  index!: number;

  /** Vector of length 1, in the form that `encoding_format` names. */
  @ApiProperty({
    oneOf: [
      { type: 'array', items: { type: 'number' } },
      { type: 'string', format: 'byte' },
    ],
  })
  embedding!: number[] | string;
}

/** Number of tokens read. */
export class EmbeddingsUsage {
  /** Number of tokens of the texts; counted by the service where the model does not report it. */
  @Answer.Count()
  prompt_tokens!: number;

  /** Same as `prompt_tokens`: nothing is written. */
  @Answer.Count()
  total_tokens!: number;
}

/** Vectors in the order of the texts. */
export class EmbeddingList {
  /** Always `list`. */
  @Answer.Choice(['list'])
  object!: 'list';

  /** Vectors, one for each text, in their order. */
  @Answer.NestedList(EmbeddingDto)
  data!: EmbeddingDto[];

  /** Name of the model that embedded the texts. */
  model!: string;

  /** Number of tokens read. */
  usage!: EmbeddingsUsage;
}
