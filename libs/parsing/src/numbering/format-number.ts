/** How a counter is shown. */
export type NumberStyle = 'decimal' | 'decimal-zero' | 'lower-letter' | 'upper-letter' | 'lower-roman' | 'upper-roman';

const ROMAN: readonly (readonly [number, string])[] = [
  [1000, 'm'],
  [900, 'cm'],
  [500, 'd'],
  [400, 'cd'],
  [100, 'c'],
  [90, 'xc'],
  [50, 'l'],
  [40, 'xl'],
  [10, 'x'],
  [9, 'ix'],
  [5, 'v'],
  [4, 'iv'],
  [1, 'i'],
];
/** Beyond these the usual programs show digits or endless letters; digits are what a reader can search for. */
const MAX_ROMAN = 4999;
const MAX_LETTER = 26 * 30;

/** A counter as a word processor shows it: `4` is `4`, `04`, `d`, `D`, `iv` or `IV`; letters go on with `aa`, `bb`. */
export function formatNumber(value: number, style: NumberStyle): string {
  switch (style) {
    case 'decimal':
      return String(value);
    case 'decimal-zero':
      return String(value).padStart(2, '0');
    case 'lower-letter':
      return letters(value);
    case 'upper-letter':
      return letters(value).toUpperCase();
    case 'lower-roman':
      return roman(value);
    case 'upper-roman':
      return roman(value).toUpperCase();
  }
}

function letters(value: number): string {
  if (value < 1 || value > MAX_LETTER) return String(value);
  const index = value - 1;
  return String.fromCharCode(97 + (index % 26)).repeat(Math.floor(index / 26) + 1);
}

function roman(value: number): string {
  if (value < 1 || value > MAX_ROMAN) return String(value);
  let rest = value;
  let text = '';
  for (const [worth, sign] of ROMAN) {
    while (rest >= worth) {
      text += sign;
      rest -= worth;
    }
  }
  return text;
}
