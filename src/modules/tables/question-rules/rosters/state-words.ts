import { fold, isFiller, tokensOf, type Token } from '../words.js';
import type { FoundValue } from '../question-table.js';
import type { ValueLink } from '../link-values.js';
import type { ChosenColumn } from './roster.js';

/** Words for one state of a day, in the languages of questions. */
const SAME = `
off free frei libre repos descanso dienstfrei
night nacht nuit noche
early fruh matin manana morgens
late spat tarde soir abends
holiday vacation urlaub conge vacaciones
sick ill krank malade enfermo
`
  .trim()
  .split('\n')
  .map((line) => new Set(line.split(' ')));
/** What a state is of: `the late shift`, `on night duty`, `Spätdienst`. */
const OF_WORK =
  /^(?:shifts?|duty|duties|turns?|work|works|worked|working|scheduled|rostered|roster|rota|arbeitet|arbeiten|arbeit|schicht|schichten|dienst|dienste|eingeteilt|travaille|travaillent|service|trabaja|trabajan|turno)$/;
const COMPOUND = /^(\p{L}{3,}?)s?(?:schicht(?:en)?|dienste?)$/u;
const NOTE = /(?<!^)(?:\s*\[[^\]]*\]|\s*\([^)]*\)|[*†‡#]+)+\s*$/u;

export function isWordOfWork(text: string): boolean {
  return OF_WORK.test(text);
}

/** Words of a question that are cells of the column of the day: `on nights` – Night, `the day off` – Off, `frei` – Off. */
export function stateLinks(
  tokens: readonly Token[],
  original: string,
  { column, from: dayFrom, to: dayTo }: ChosenColumn,
  found: readonly FoundValue[],
): ValueLink[] {
  const cells = [...new Set(found.filter((each) => each.column === column.name).map(({ value }) => value))];
  const states = cells.map((value) => ({ value, words: wordsOfState(value) })).filter(({ words }) => words.length > 0);
  const links: ValueLink[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    if (at >= dayFrom && at < dayTo) continue;
    // `the day off` is one state, also where there is a shift by day.
    const start = /^(?:days?|tag)$/.test(tokens[at]!.text) && isOff(tokens[at + 1]) ? at + 1 : at;
    const fitting = states.filter(({ words }) =>
      words.every((word, index) => isSameState(tokens[start + index], word)),
    );
    const longest = Math.max(0, ...fitting.map(({ words }) => words.length));
    if (longest === 0) continue;
    const whole = fitting.filter(({ words }) => words.length === longest).map(({ value }) => value);
    const to = start + longest;
    const text = original.slice(tokens[at]!.start, tokens[to - 1]!.end);
    links.push({
      from: at,
      to,
      text,
      options: [{ column, whole, items: [], parts: [] }],
      isExact: true,
      isSimilar: false,
    });
    at = to - 1;
  }
  return links;
}

/** What tells a state from others: `late` of `Late shift`. */
function wordsOfState(value: string): Token[] {
  const words = tokensOf(value.replace(NOTE, ''));
  const telling = words.filter(({ text }) => !OF_WORK.test(text));
  const off =
    telling.length > 1 && isOff(telling.at(-1)) ? telling.filter(({ text }) => !/^(?:days?|tag)$/.test(text)) : telling;
  const all = off.length > 0 ? off : words;
  // Small words alone are in every question.
  return all.every(({ text }) => isFiller(text) && text !== 'off') ? [] : all;
}

function isOff(token: Token | undefined): boolean {
  return SAME[0]!.has(token?.text ?? '');
}

function isSameState(token: Token | undefined, word: Token): boolean {
  if (token === undefined) return false;
  if (token.text === word.text || (!isFiller(token.text) && token.stem === word.stem)) return true;
  const [asked, cell] = [bare(token.text), bare(word.text)];
  return asked === cell || SAME.some((same) => same.has(asked) && same.has(cell));
}

/** `nacht` of `nachtdienst`, `night` of `nights`. */
function bare(text: string): string {
  const plain = fold(text);
  const core = COMPOUND.exec(plain)?.[1] ?? plain;
  return /^(?:nights|earlies|lates)$/.test(core) ? core.replace(/ies$/, 'y').replace(/s$/, '') : core;
}
