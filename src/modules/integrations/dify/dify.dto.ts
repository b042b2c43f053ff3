import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsIn,
  IsInt,
  IsNumber,
  IsObject,
  IsOptional,
  IsString,
  Length,
  Matches,
  Max,
  MaxLength,
  Min,
  ValidateBy,
  ValidateNested,
} from 'class-validator';
import { Type } from 'class-transformer';
import { TolerateUnknownFields } from '#libs/http';
import { QUERY_MAX, TOP_K_MAX } from '../../retrieval/index.js';
import { DIFY_OPERATORS, type DifyOperator } from './dify-filter.js';

const NAMES_MAX = 20;
const CONDITIONS_MAX = 50;
const NAME_MAX = 64;
const VALUE_MAX = 4096;
const VALUES_MAX = 200;

function isItem(value: unknown): boolean {
  return typeof value === 'number' || (typeof value === 'string' && value.length <= VALUE_MAX);
}

/** How much is to be found. */
export class DifyRetrievalSetting {
  /** Maximum number of records. */
  @ApiProperty({ type: 'integer', minimum: 1, maximum: TOP_K_MAX })
  @IsInt()
  @Min(1)
  @Max(TOP_K_MAX)
  top_k!: number;

  /** Lowest acceptable `score` of a record; 0 or omitted: the threshold of the dataset's policy (`retrieval_defaults`), otherwise none. */
  @ApiPropertyOptional({ type: Number, nullable: true, minimum: 0, maximum: 1, default: 0 })
  @IsOptional()
  @IsNumber({ allowNaN: false, allowInfinity: false })
  @Min(0)
  @Max(1)
  score_threshold?: number | null;
}

/** A condition on the metadata of documents. */
export class DifyCondition {
  /**
   * Names of metadata fields, or `document_name`, `path`, `tags`, `media_type`, `language`, `document_id`, `archive_id`, `created_at`. The
   * condition is met where one of them meets it.
   */
  @ApiProperty({
    type: 'array',
    minItems: 1,
    maxItems: NAMES_MAX,
    items: { type: 'string', minLength: 1, maxLength: NAME_MAX },
    example: ['department'],
  })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(NAMES_MAX)
  @IsString({ each: true })
  @Length(1, NAME_MAX, { each: true })
  name!: string[];

  /** How the field is compared with `value`. */
  @ApiProperty({ enum: DIFY_OPERATORS })
  @IsIn(DIFY_OPERATORS, {
    message: ({ value }) =>
      `the operator ${JSON.stringify(value)?.slice(0, 64)} cannot be carried out; known: ${DIFY_OPERATORS.join(', ')}`,
  })
  comparison_operator!: DifyOperator;

  /**
   * Value to compare with; ignored for `empty` and `not empty`. Digits compare as a number for `=`, `≠`, `>`, `<`, `≥` and `≤`. `in` and `not in`
   * take a list, or a text with commas. A condition whose value is null, empty or omitted is ignored, since Dify sends such values for variables
   * that were not set.
   */
  @ApiPropertyOptional({
    nullable: true,
    oneOf: [
      { type: 'string', maxLength: VALUE_MAX },
      { type: 'number' },
      {
        type: 'array',
        maxItems: VALUES_MAX,
        items: { anyOf: [{ type: 'string', maxLength: VALUE_MAX }, { type: 'number' }] },
      },
    ],
    example: 'legal',
  })
  @IsOptional()
  @ValidateBy({
    name: 'isDifyValue',
    validator: {
      validate: (value) => (Array.isArray(value) ? value.length <= VALUES_MAX && value.every(isItem) : isItem(value)),
      defaultMessage: () =>
        `value must be a text of at most ${VALUE_MAX} characters, a number, or a list of at most ${VALUES_MAX} of them`,
    },
  })
  value?: string | number | (string | number)[] | null;
}

/** Conditions that the documents have to meet. */
export class DifyMetadataCondition {
  /** Whether all conditions must be met (`and`), or one of them (`or`). */
  @ApiPropertyOptional({ enum: ['and', 'or'], nullable: true, default: 'and' })
  @IsOptional()
  @IsIn(['and', 'or'])
  logical_operator?: 'and' | 'or' | null;

  /** Conditions on the metadata. */
  @ApiProperty({ type: [DifyCondition], maxItems: CONDITIONS_MAX })
  @IsArray()
  @ArrayMaxSize(CONDITIONS_MAX)
  @ValidateNested({ each: true })
  @Type(() => DifyCondition)
  conditions!: DifyCondition[];
}

/** A question of Dify to an external knowledge base. */
@TolerateUnknownFields()
export class DifyRetrievalRequest {
  /** Identifier of a dataset, which Dify calls the external knowledge id. */
  @ApiProperty({ type: String, minLength: 1, maxLength: 128, example: '01934b7e-6c2a-7a3e-9a51-2f0c6d1b8e10' })
  @IsString()
  @Length(1, 128)
  knowledge_id!: string;

  /** The question. */
  @ApiProperty({
    type: String,
    minLength: 1,
    maxLength: QUERY_MAX,
    pattern: '\\S',
    example: 'How long is the notice period?',
  })
  @IsString()
  @MaxLength(QUERY_MAX)
  @Matches(/\S/u, { message: 'query must hold more than white space' })
  query!: string;

  /** Number and score of the records to find. */
  @ApiProperty({ type: DifyRetrievalSetting })
  @IsObject()
  @ValidateNested()
  @Type(() => DifyRetrievalSetting)
  retrieval_setting!: DifyRetrievalSetting;

  /** Conditions on the metadata of the documents. */
  @ApiPropertyOptional({ type: DifyMetadataCondition, nullable: true })
  @IsOptional()
  @IsObject()
  @ValidateNested()
  @Type(() => DifyMetadataCondition)
  metadata_condition?: DifyMetadataCondition | null;
}

/** A fragment as Dify shows it. */
export class DifyRecord {
  /** The text of the fragment. */
  content!: string;

  /** Score of the record, 0 to 1, as in `POST /retrieval/search`. */
  @ApiProperty({ type: Number, minimum: 0, maximum: 1 })
  score!: number;

  /** Name of the document. */
  title!: string;

  /** Metadata of the document, with `path` (name and place of the fragment in the document), `description`, `document_id` and `chunk_id`. */
  @ApiProperty({ type: 'object', additionalProperties: true })
  metadata!: Record<string, unknown>;
}

/** What was found. */
export class DifyRetrievalResponse {
  /** Records, best first; empty when nothing was found. */
  @ApiProperty({ type: [DifyRecord] })
  records!: DifyRecord[];
}
