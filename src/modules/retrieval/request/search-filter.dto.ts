import { ApiExtraModels, ApiProperty, ApiPropertyOptional, getSchemaPath } from '@nestjs/swagger';
import { COMPARISONS, FILTER_CONDITIONS_MAX, FILTER_VALUES_MAX } from './parse-filter.js';

/*
 * These classes describe filters in OpenAPI. A filter is checked by `parseFilter`, which names every problem by its JSON
 * pointer at any depth; class-validator cannot tell members of a union apart.
 */

const KEY = {
  type: String,
  description:
    'Property to compare: `metadata.<name>` (with dots for nested metadata: `metadata.a.b`), `tags`, `media_type`, `language`, `document_id` (the id of an archive means its files), `archive_id` (the files of one archive), `document_name`, `path` (folder and name of the document; `starts_with` `guides/` means all documents of that folder) or `created_at`.',
  pattern:
    '^(metadata\\.[\\s\\S]{1,64}|tags|media_type|language|document_id|document_name|path|archive_id|created_at)$',
  example: 'metadata.department',
} as const;
const SCALAR = [
  { type: 'string' as const, maxLength: 4096 },
  { type: 'number' as const },
  { type: 'boolean' as const },
];

/**
 * Compares one value. Values compare only with their own type; `ne` holds where the key is missing; `contains` is a substring
 * of a text or a member of a list; `starts_with` and `ends_with` compare the beginning and the end of a text or of a member of a list;
 * `created_at` compares as an instant, with RFC 3339 texts.
 */
export class FilterComparison {
  /** Kind of the filter. */
  @ApiProperty({ enum: COMPARISONS })
  type!: string;

  @ApiProperty(KEY)
  key!: string;

  /** Value to compare with. */
  @ApiProperty({ oneOf: SCALAR, example: 'legal' })
  value!: string | number | boolean;
}

/** Compares with several values; `nin` holds where the key is missing. */
export class FilterMembership {
  /** Kind of the filter. */
  @ApiProperty({ enum: ['in', 'nin'] })
  type!: string;

  @ApiProperty(KEY)
  key!: string;

  /** Values to compare with: `in` holds when one of them matches, `nin` when none does. */
  @ApiProperty({ type: 'array', items: { oneOf: SCALAR }, minItems: 1, maxItems: FILTER_VALUES_MAX })
  value!: (string | number | boolean)[];
}

/** Tests whether a key has a value. Any value but null counts, also an empty list or object. */
export class FilterExistence {
  /** Kind of the filter. */
  @ApiProperty({ enum: ['exists'] })
  type!: string;

  @ApiProperty(KEY)
  key!: string;

  /** `true`: the key must exist; `false`: it must be missing. */
  @ApiPropertyOptional({ type: Boolean, default: true })
  value?: boolean;
}

/** Combines filters: `and` holds when all of them hold, `or` when any does, `not` when none does. */
export class FilterGroup {
  /** Kind of the filter. */
  @ApiProperty({ enum: ['and', 'or', 'not'] })
  type!: string;

  /** Filters to combine. An empty `and` always holds, an empty `or` never does. */
  @ApiProperty({
    type: 'array',
    maxItems: FILTER_CONDITIONS_MAX,
    items: {
      oneOf: ['FilterComparison', 'FilterMembership', 'FilterExistence', 'FilterGroup'].map((name) => ({
        $ref: getSchemaPath(name),
      })),
    },
  })
  filters!: object[];
}

/** The schemas that a filter may have; a class that uses it adds `@FilterModels()`. */
export const FILTER_SCHEMAS = [FilterComparison, FilterMembership, FilterExistence, FilterGroup].map((model) => ({
  $ref: getSchemaPath(model),
}));

/** Adds the schemas of filters to the description. */
export const FilterModels = (): ClassDecorator =>
  ApiExtraModels(FilterComparison, FilterMembership, FilterExistence, FilterGroup) as ClassDecorator;
