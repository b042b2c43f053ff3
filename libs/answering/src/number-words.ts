import { toNormalForm } from '#libs/common';
import { foldText } from './overlap.js';
import { cardinalOf } from './stated-numbers.js';
import type { Quantity } from './written-numbers.js';

/** Number words of one language that are everyday words, or no number of things, in it or in another one. */
const UNSURE: ReadonlySet<string> = new Set(
  'due sei sette tre once einmal both beide double dozen dutzend fortnight cent mil neuf sept elf null nul cero iki sto otto dez'.split(
    ' ',
  ),
);
const TENS = 'zwanzig|dreißig|vierzig|fünfzig|sechzig|siebzig|achtzig|neunzig';
const COMPOUND = new RegExp(`^(ein|zwei|drei|vier|fünf|sechs|sieben|acht|neun)und(${TENS})$`, 'u');
const HUNDREDS = /^(zwei|drei|vier|fünf|sechs|sieben|acht|neun)(hundert|tausend)$/u;
const SPANISH = /^veinti(d[oó]s|tr[eé]s|cuatro|cinco|s[eé]is|siete|ocho|nueve)$/u;

/** The text with digits for number words, as far as these are surely numbers. */
export function withWordsAsDigits(text: string): string {
  // Words at odd places, what is between them at even ones.
  const parts = text.split(/(\p{L}{2,24})/u);
  let [open, at] = [0, -2];
  for (let index = 1; index < parts.length; index += 2) {
    if (at !== index - 2 || !/^[ -]$/.test(parts[index - 1]!)) open = 0;
    const value = countedSurely(parts[index]!, open);
    if (value === undefined) continue;
    const joined = joinNumbers(open, value);
    if (joined !== undefined) [parts[at], parts[index - 1]] = ['', ''];
    [open, at] = [joined ?? value, index];
    parts[index] = String(open);
  }
  return parts.join('');
}

/** The number that a word represents; undefined where it may be another word. */
function countedSurely(word: string, open: number): number | undefined {
  const lower = word.toLowerCase();
  if (UNSURE.has(lower)) return undefined;
  return counted(lower) ?? (open >= 20 && lower === 'one' ? 1 : undefined);
}

/** Numbers that a text states in words. */
export function numbersInWords(text: string): Quantity[] {
  return toNormalForm(text, 'NFC')
    .toLowerCase()
    .split(/[^\p{L}\p{M}\s-]+/u)
    .flatMap((part) => {
      const found: Quantity[] = [];
      let open = 0;
      const close = (): void => {
        if (open > 0) found.push({ forms: [String(open)], isTelling: true });
        open = 0;
      };
      for (const [word] of part.matchAll(/[\p{L}\p{M}]+/gu)) {
        const unsure = UNSURE.has(word) ? cardinalOf(word) : undefined;
        if (unsure !== undefined) found.push({ forms: [String(unsure)], isTelling: false });
        const value = countedSurely(word, open);
        const joined = value === undefined ? undefined : joinNumbers(open, value);
        if (joined === undefined) close();
        open = joined ?? value ?? 0;
      }
      close();
      return found;
    });
}

/** The number that a number word behind another one makes of both: twenty-four, two hundred, quatre-vingt; undefined: two numbers. */
function joinNumbers(open: number, value: number): number | undefined {
  if (open === 0) return undefined;
  if (value === 100 || value === 1000) return open * value;
  if (open === 4 && value === 20) return 80;
  if (open >= 20 && open % 10 === 0 && value < 10) return open + value;
  return (open === 60 || open === 80) && value < 20 ? open + value : undefined;
}

function counted(word: string): number | undefined {
  const [, units, tens] = COMPOUND.exec(word) ?? [];
  if (tens !== undefined) return (units === 'ein' ? 1 : cardinalOf(units!)!) + cardinalOf(tens)!;
  const [, many, unit] = HUNDREDS.exec(word) ?? [];
  if (unit !== undefined) return cardinalOf(many!)! * cardinalOf(unit)!;
  const spanish = SPANISH.exec(word)?.[1];
  return spanish === undefined ? cardinalOf(word) : 20 + cardinalOf(foldText(spanish))!;
}
