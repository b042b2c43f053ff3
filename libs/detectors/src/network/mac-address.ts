import { patternDetector } from '../pattern-detector.js';

function score(value: string): number {
  const digits = value.replace(/[^0-9A-Fa-f]/g, '').toLowerCase();
  if (/^(.)\1{11}$/.test(digits)) return 0.3;
  // Dates and part numbers have no letters.
  return /[a-f]/.test(digits) || value.includes(':') ? 0.9 : 0.4;
}

/** Addresses of network cards: six pairs with `:` or `-`, or three groups of four with dots. */
export const macAddress = patternDetector(
  { severity: 'low' },
  {
    rule: 'pairs',
    pattern:
      /(?<![0-9A-Za-z:-])[0-9A-Fa-f]{2}([:-])(?:[0-9A-Fa-f]{2}\1){4}[0-9A-Fa-f]{2}(?![0-9A-Za-z]|[:-][0-9A-Fa-f])/g,
    score: ({ value }) => score(value),
  },
  {
    rule: 'groups_of_four',
    pattern: /(?<![0-9A-Za-z.])[0-9A-Fa-f]{4}\.[0-9A-Fa-f]{4}\.[0-9A-Fa-f]{4}(?![0-9A-Za-z]|\.[0-9A-Za-z])/g,
    score: ({ value }) => (/[a-f]/i.test(value) ? score(value) : 0.3),
  },
);
