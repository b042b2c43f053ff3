import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsDefined, IsObject, IsOptional, IsString, Matches, ValidateIf, ValidateNested } from 'class-validator';
import type { JsonObject } from '#libs/common';
import { Choice, Flag, Text, TolerateUnknownFields } from '#libs/http';

export const RESPONSE_FORMATS = ['text', 'json_object', 'json_schema'] as const;
export type ResponseFormatType = (typeof RESPONSE_FORMATS)[number];

const MAX_DESCRIPTION = 4_096;

/** A JSON Schema that the answer must meet; the model's provider enforces it. */
@TolerateUnknownFields()
export class JsonSchemaFormat {
  /** Name of the schema: letters, digits, `_` and `-`. */
  @ApiProperty({ type: String, pattern: '^[A-Za-z0-9_-]{1,64}$', example: 'notice_period' })
  @IsString()
  @Matches(/^[A-Za-z0-9_-]{1,64}$/, { message: 'name must be 1 to 64 letters, digits, _ or -' })
  name!: string;

  /** The schema; limited only by the depth and size allowed for a request body. */
  @ApiPropertyOptional({ type: 'object', additionalProperties: true })
  @IsOptional()
  @IsObject()
  schema?: JsonObject;

  /** Purpose of the schema; null or left out: none. */
  @Text({ optional: true, nullable: true, max: MAX_DESCRIPTION })
  description?: string | null;

  /** Whether the provider must follow the schema exactly; null or left out: false. */
  @Flag({ optional: true, nullable: true, default: false })
  strict?: boolean | null;
}

/** The form of the answer. */
@TolerateUnknownFields()
export class ResponseFormat {
  /**
   * `text`: Markdown with markers, without HTML, images or links that the operator does not allow. `json_object`, `json_schema`: JSON without
   * markers, with the citations beside it; its values are untrusted and may contain any markup.
   */
  @Choice(RESPONSE_FORMATS)
  type!: ResponseFormatType;

  /** The schema; required with `json_schema`, otherwise not allowed. */
  @ApiPropertyOptional({ type: () => JsonSchemaFormat })
  @ValidateIf(({ type, json_schema }: ResponseFormat) => type === 'json_schema' || json_schema !== undefined)
  @IsDefined()
  @IsObject()
  @ValidateNested()
  @Type(() => JsonSchemaFormat)
  json_schema?: JsonSchemaFormat;
}
