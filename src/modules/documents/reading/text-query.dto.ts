import { Integer } from '#libs/http';

const MAX_OFFSET = 4_294_967_295;

/** A part of the canonical text, in UTF-16 code units. */
export class TextQuery {
  /** Offset of the first code unit. */
  @Integer({ query: true, min: 0, max: MAX_OFFSET, default: 0 })
  start: number = 0;

  /** Offset just after the last code unit; if left out, the end of the text. */
  @Integer({ query: true, min: 0, max: MAX_OFFSET })
  end?: number;
}
