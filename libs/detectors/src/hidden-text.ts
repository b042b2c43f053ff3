import { patternDetector } from './pattern-detector.js';

/** Scripts that need joiners, or in which an invisible space separates words. */
const JOINED = /[\u0590-\u08ff\u0900-\u109f\u1780-\u17ff\u0e00-\u0eff\ufb50-\ufeff\ud83c-\ud83e]|\ufe0f/;

/** One invisible sign is a matter of layout; several, or one within a Latin word, hide something. */
function zeroWidthScore(text: string, start: number, end: number): number {
  const before = text[start - 1] ?? '';
  const after = text[end] ?? '';
  const length = end - start;
  if (length >= 6) return 0.9;
  if (JOINED.test(before) || JOINED.test(after)) return 0;
  if (length >= 3) return 0.8;
  const isInWord = /[A-Za-z\u0400-\u04ff]/.test(before) && /[A-Za-z\u0400-\u04ff]/.test(after);
  return isInWord ? 0.55 : 0.2;
}

/** Text that people do not see and models read. */
export const hiddenText = patternDetector(
  { severity: 'high' },
  {
    rule: 'tag_characters',
    pattern: /(?:\udb40[\udc00-\udc7f]){1,4096}/g,
    // Flags of regions are a black flag with tags behind it (UTS 51).
    score: ({ text, start, value }) =>
      text.slice(Math.max(0, start - 2), start) === '\u{1f3f4}' && value.length <= 16 ? 0 : 0.95,
  },
  {
    rule: 'variation_selectors',
    pattern: /(?:\udb40[\udd00-\uddef]){2,4096}/g,
    score: () => 0.95,
  },
  {
    rule: 'zero_width',
    pattern: /[\u200b-\u200d\u2060-\u2064\u180e\ufeff]{1,4096}/g,
    score: ({ text, start, end }) => (start === 0 && end === 1 ? 0 : zeroWidthScore(text, start, end)),
  },
  { rule: 'bidi_override', pattern: /[\u202d\u202e][^\u202c\n]{0,512}\u202c?/g, score: () => 0.8 },
  {
    rule: 'bidi_isolate',
    // Only where the text is otherwise written from left to right: right-to-left scripts need the marks.
    pattern: /[\u202a\u202b\u2066-\u2068]{2,64}/g,
    score: ({ text, start, end }) => (/[\u0590-\u08ff]/.test(text.slice(start, end + 16)) ? 0.2 : 0.6),
  },
);
