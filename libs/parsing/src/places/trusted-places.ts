import { ParseError } from '../parse-error.js';
import { MOST_BOXES, type LocateRequest, type PagePlaces, type TextBox } from './page-places.js';

export const INCONSISTENT = 'The parser returned an inconsistent result; try again.';

/** The child is not trusted: what it says must be numbers, about the stretch that it was asked for. */
export function trustedPlaces(places: PagePlaces | undefined, { start, end }: LocateRequest): PagePlaces {
  const isRight =
    places !== undefined &&
    isCount(places.pageCount) &&
    (places.size === null || (isLength(places.size.width) && isLength(places.size.height))) &&
    Array.isArray(places.boxes) &&
    places.boxes.length <= MOST_BOXES &&
    places.boxes.every((box: TextBox) => isBox(box) && box.start < end && box.end > start);
  if (!isRight) throw new ParseError('PARSER_CRASHED', INCONSISTENT);
  return places;
}

function isBox(box: TextBox): boolean {
  const { x, y, width, height, start, end, rotation, precision } = box;
  return (
    [x, y].every(Number.isFinite) &&
    [width, height].every(isLength) &&
    [start, end, rotation].every(isCount) &&
    (precision === 'words' || precision === 'block')
  );
}

const isCount = (value: number): boolean => Number.isSafeInteger(value) && value >= 0;
const isLength = (value: number): boolean => Number.isFinite(value) && value >= 0;
