import { formatNumber, type NumberStyle } from '../../numbering/format-number.js';

const STYLES: Readonly<Record<string, NumberStyle>> = {
  alphaLc: 'lower-letter',
  alphaUc: 'upper-letter',
  romanLc: 'lower-roman',
  romanUc: 'upper-roman',
};

/** A number of a list as the scheme of a presentation shows it: `arabicPeriod` is `3.`, `alphaLcParenBoth` is `(c)`. */
export function autoNumber(value: number, scheme: string): string {
  const [, kind = '', shape = ''] = /^(.*?)(Period|ParenBoth|ParenR|Plain|Minus)$/.exec(scheme) ?? [];
  const text = formatNumber(value, STYLES[kind] ?? 'decimal');
  if (shape === 'ParenBoth') return `(${text})`;
  if (shape === 'ParenR') return `${text})`;
  if (shape === 'Plain') return text;
  return `${text}.`;
}

/** Counts the numbered paragraphs of one shape, level by level. */
export class AutoNumbers {
  private readonly counters: { scheme: string; value: number }[] = [];

  /** The next number of a level from 0; higher levels below it begin again. */
  next(level: number, scheme: string, start: number): string {
    this.counters.length = Math.min(this.counters.length, level + 1);
    const before = this.counters[level];
    const value = before !== undefined && before.scheme === scheme ? before.value + 1 : start;
    this.counters[level] = { scheme, value };
    return autoNumber(value, scheme);
  }

  /** A paragraph without a number ends the counting of its level and those below. */
  interrupt(level: number): void {
    this.counters.length = Math.min(this.counters.length, level);
  }
}
