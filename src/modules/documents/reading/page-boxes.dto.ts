import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsInt, IsOptional, Max, Min } from 'class-validator';
import { QueryInteger } from '#libs/http';

const MAX_OFFSET = 4_294_967_295;
/** Code units that one request may ask for. */
export const MOST_CHARACTERS = 65_536;

/** A stretch of the canonical text, in UTF-16 code units. */
export class PageBoxesQuery {
  /** First code unit, as `source_char_start` of a citation has it; without it the beginning of the page's text. */
  @ApiPropertyOptional({ type: 'integer', minimum: 0, maximum: MAX_OFFSET })
  @IsOptional()
  @QueryInteger()
  @IsInt()
  @Min(0)
  @Max(MAX_OFFSET)
  start?: number;

  /** One past the last code unit, as `source_char_end` of a citation has it, at most 65,536 behind `start`; without it the end of the page's text. */
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
  /** Its left edge. */
  @ApiProperty({ type: 'number' })
  x!: number;

  /** Its upper edge. */
  @ApiProperty({ type: 'number' })
  y!: number;

  /** Its width. */
  @ApiProperty({ type: 'number', minimum: 0 })
  width!: number;

  /** Its height. */
  @ApiProperty({ type: 'number', minimum: 0 })
  height!: number;

  /** First code unit of the canonical text that it shows. */
  @ApiProperty({ type: 'integer', minimum: 0 })
  start!: number;

  /** One past the last one. */
  @ApiProperty({ type: 'integer', minimum: 1 })
  end!: number;

  /** Degrees by which its line is turned clockwise on the page as it is shown; 0 for most. */
  @ApiProperty({ type: 'integer', minimum: 0, maximum: 359 })
  rotation!: number;

  /**
   * `words`: the words of a line that are asked for, of a word that is asked for in part the share of its letters. `block`: the paragraph
   * or table that holds them, since its words have no places of their own (text that OCR has read, columns from top to bottom).
   */
  @ApiProperty({ enum: ['words', 'block'] })
  precision!: 'words' | 'block';
}

/** Where a stretch of a document's text stands on a page of its PDF. */
export class PageBoxes {
  /** The document. */
  @ApiProperty({ format: 'uuid' })
  document_id!: string;

  /** Revision of the file to which text and page belong: the one that searches show. */
  @ApiProperty({ type: 'integer', minimum: 1 })
  revision!: number;

  /** Number of the page in the file, from 1. */
  @ApiProperty({ type: 'integer', minimum: 1 })
  page!: number;

  /** Pages of the file. */
  @ApiProperty({ type: 'integer', minimum: 1 })
  page_count!: number;

  /** Width of the page as it is shown, in points: cropped, and turned as the file says (`/Rotate`). */
  @ApiProperty({ type: 'number', minimum: 0 })
  width!: number;

  /** Height of the page as it is shown, in points. */
  @ApiProperty({ type: 'number', minimum: 0 })
  height!: number;

  /** Where `x` and `y` of boxes are counted from: the upper left corner of the page as it is shown, to the right and down. */
  @ApiProperty({ enum: ['top_left'] })
  origin!: 'top_left';

  /** Boxes in the order of the text, one for each line, at most 4,096. What stands on another page has none here. */
  @ApiProperty({ type: [PageBox] })
  boxes!: PageBox[];
}
