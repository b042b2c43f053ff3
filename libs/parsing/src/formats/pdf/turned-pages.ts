import type { PageOrientationCorrection, ParsedPage, TextItem } from '@llamaindex/liteparse';
import type { BlockBox } from './page-text.js';

/** Degrees, clockwise, of the text of a page in its view. */
export type Turn = 90 | 180 | 270;

const TURNS: readonly Turn[] = [90, 180, 270];
/** Degrees between a right angle and text that counts as standing in it. */
const NEARLY = 2;

/** Whether a text is at an angle, in degrees clockwise. */
export function isAtAngle({ rotation = 0 }: Pick<TextItem, 'rotation'>, angle: 0 | Turn): boolean {
  const apart = Math.abs((((rotation % 360) + 360) % 360) - angle);
  return Math.min(apart, 360 - apart) <= NEARLY;
}

/** The angle of most characters of a page, where that is not upright. */
export function turnOf({ textItems }: Pick<ParsedPage, 'textItems'>): Turn | undefined {
  const counts = new Map<Turn, number>();
  let all = 0;
  for (const item of textItems) {
    const { length } = item.text.replace(/\s+/g, '');
    all += length;
    const turn = TURNS.find((angle) => isAtAngle(item, angle));
    if (turn !== undefined) counts.set(turn, (counts.get(turn) ?? 0) + length);
  }
  return TURNS.find((turn) => (counts.get(turn) ?? 0) * 2 > all);
}

/** Two angles together. */
export function added(one: 0 | Turn, other: Turn): 0 | Turn {
  return ([0, 90, 180, 270] as const).find((angle) => angle === (one + other) % 360)!;
}

/** What turns pages upright before they are read. */
export function corrections(turns: ReadonlyMap<number, 0 | Turn>): PageOrientationCorrection[] {
  return [...turns].map(([page, angle]) => ({ page, angle }));
}

/** Where a rectangle of a page that was turned upright is in the view of the page as it is; `page` is the size of the upright one. */
export function inView(
  [x0, y0, x1, y1]: BlockBox,
  turn: Turn,
  { width, height }: Pick<ParsedPage, 'width' | 'height'>,
): BlockBox {
  switch (turn) {
    case 90:
      return [height - y1, x0, height - y0, x1];
    case 180:
      return [width - x1, height - y1, width - x0, height - y0];
    case 270:
      return [y0, width - x1, y1, width - x0];
  }
}
