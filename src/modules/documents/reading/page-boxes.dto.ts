import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsInt, IsOptional, Max, Min } from 'class-validator';
import { QueryInteger } from '#libs/http';

const MAX_OFFSET = 4_294_967_295;
/** Code units that one request may ask for. */
export const MOST_CHARACTERS = 65_536;

/** A stretch of the canonical text, in UTF-16 code units. */
export class PageBoxesQuery {
  /** Offset of the first code unit, like `source_char_start` of a citation; if left out, the beginning of the page's text. */
  @ApiPropertyOptional({ type: 'integer', minimum: 0, maximum: MAX_OFFSET })
  @IsOptional()
  @QueryInteger()
  @IsInt()
  @Min(0)
  @Max(MAX_OFFSET)
  start?: number;

  /**
   * Offset just after the last code unit, like `source_char_end` of a citation; at most `start` plus 65,536. If left out, the end of the
   * page's text.
   */
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: MAX_OFFSET })
  @IsOptional()
  @QueryInteger()
  @IsInt()
  @Min(1)
  @Max(MAX_OFFSET)
  end?: number;
}

/** A rectangle on a page, in points. */
export class PageBox {
  /** Left edge, in points from `origin`. */
  @ApiProperty({ type: 'number' })
  x!: number;

  /** Upper edge, in points from `origin`. */
  @ApiProperty({ type: 'number' })
  y!: number;

  /** Width in points. */
  @ApiProperty({ type: 'number', minimum: 0 })
  width!: number;

  /** Height in points. */
  @ApiProperty({ type: 'number', minimum: 0 })
  height!: number;

  /** Offset of the first code unit of the canonical text in the box. */
  @ApiProperty({ type: 'integer', minimum: 0 })
  start!: number;

  /** Offset just after the last code unit of the canonical text in the box. */
  @ApiProperty({ type: 'integer', minimum: 1 })
  end!: number;

  /** Clockwise rotation of the line on the displayed page, in degrees; mostly 0. */
  @ApiProperty({ type: 'integer', minimum: 0, maximum: 359 })
  rotation!: number;

  /**
   * `words`: the box covers the requested words of a line; where a word is requested in part, its width is divided by letters. `block`: the
   * box covers the whole paragraph or table, since the places of its words are unknown (OCR, vertical columns).
   */
  @ApiProperty({ enum: ['words', 'block'] })
  precision!: 'words' | 'block';
}

/** The rectangles that a stretch of a document's text covers on a page of its PDF. */
export class PageBoxes {
  /** Identifier of the document. */
  @ApiProperty({ format: 'uuid' })
  document_id!: string;

  /** Revision that text and page belong to: the one that searches show. */
  @ApiProperty({ type: 'integer', minimum: 1 })
  revision!: number;

  /** Number of the page in the file, from 1. */
  @ApiProperty({ type: 'integer', minimum: 1 })
  page!: number;

  /** Number of pages of the file. */
  @ApiProperty({ type: 'integer', minimum: 1 })
  page_count!: number;

  /** Width of the displayed page in points: after cropping and the rotation that the file sets (`/Rotate`). */
  @ApiProperty({ type: 'number', minimum: 0 })
  width!: number;

  /** Height of the displayed page in points. */
  @ApiProperty({ type: 'number', minimum: 0 })
  height!: number;

  /** Origin of `x` and `y`: the upper left corner of the displayed page; `x` grows to the right, `y` downwards. */
  @ApiProperty({ enum: ['top_left'] })
  origin!: 'top_left';

  /** Boxes in the order of the text, one for each line, at most 4,096; only for the text on this page. */
  @ApiProperty({ type: [PageBox] })
  boxes!: PageBox[];
}
