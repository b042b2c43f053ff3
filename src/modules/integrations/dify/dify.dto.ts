import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsIn, IsOptional, IsString, Length, ValidateBy } from 'class-validator';
import { Answer, Choice, Decimal, Integer, Nested, NestedList, Text, TolerateUnknownFields } from '#libs/http';
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

/** Number and minimum score of the records to find. */
export class DifyRetrievalSetting {
  /** Maximum number of records. */
  @Integer({ min: 1, max: TOP_K_MAX })
  top_k!: number;

  /** Lowest acceptable `score` of a record; 0, null or left out: the threshold of the dataset's policy (`retrieval_defaults`), otherwise none. */
  @Decimal({ optional: true, nullable: true, min: 0, max: 1, default: 0 })
  score_threshold?: number | null;
}

/** A condition on the metadata of documents. */
export class DifyCondition {
  /**
   * Names of metadata fields, or `document_name`, `path`, `tags`, `media_type`, `language`, `document_id`, `archive_id`, `created_at`. The
   * condition is met if at least one of these fields meets it.
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

  /** Operator that compares the fields with `value`. */
  @ApiProperty({ enum: DIFY_OPERATORS })
  @IsIn(DIFY_OPERATORS, {
    message: ({ value }) =>
      `the operator ${JSON.stringify(value)?.slice(0, 64)} is not supported; supported: ${DIFY_OPERATORS.join(', ')}`,
  })
  comparison_operator!: DifyOperator;

  /**
   * Value to compare with; ignored for `empty` and `not empty`. Digits compare as a number for `=`, `≠`, `>`, `<`, `≥` and `≤`. `in` and
   * `not in` take a list, or a text with commas. A condition with a null, empty or omitted value is ignored, because Dify sends such values
   * for unset variables.
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
  /** Whether all conditions must be met (`and`) or at least one of them (`or`); null or left out: `and`. */
  @Choice(['and', 'or'], { optional: true, nullable: true, default: 'and' })
  logical_operator?: 'and' | 'or' | null;

  /** Conditions on the metadata. */
  @NestedList(DifyCondition, { max: CONDITIONS_MAX })
  conditions!: DifyCondition[];
}

/** A question of Dify to an external knowledge base. */
@TolerateUnknownFields()
export class DifyRetrievalRequest {
  /** Identifier of a dataset, which Dify calls the external knowledge id. */
  @Text({ length: [1, 128], example: '01934b7e-6c2a-7a3e-9a51-2f0c6d1b8e10' })
  knowledge_id!: string;

  /** The question. */
  @Text({ filled: true, max: QUERY_MAX, example: 'How long is the notice period?' })
  query!: string;

  /** Number and score of the records to find. */
  @Nested(DifyRetrievalSetting)
  retrieval_setting!: DifyRetrievalSetting;

  /** Conditions on the metadata of the documents; null or left out: no conditions. */
  @Nested(DifyMetadataCondition, { optional: true, nullable: true })
  metadata_condition?: DifyMetadataCondition | null;
}

/** A fragment as Dify shows it. */
export class DifyRecord {
  /** The text of the fragment. */
  content!: string;

  /** Score of the record, 0 to 1, as in `POST /retrieval/search`. */
  @Answer.Share()
  score!: number;

  /** Name of the document. */
  title!: string;

  /** Metadata of the document, with `path` (name and place of the fragment in the document), `description`, `document_id` and `chunk_id`. */
  @Answer.Json()
  metadata!: Record<string, unknown>;
}

/** Records that were found. */
export class DifyRetrievalResponse {
  /** Records, best first; empty when nothing was found. */
  @Answer.NestedList(DifyRecord)
  records!: DifyRecord[];
}
