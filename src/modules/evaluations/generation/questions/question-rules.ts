/** What a sentence answers. */
export interface MadeQuestion {
  readonly question: string;
  /** Words of the sentence that answer it. */
  readonly answer: string;
}

/** A part of a sentence that can be asked for, and by what. */
export interface Gap {
  /** Found in what is behind the verb. */
  readonly pattern: RegExp;
  /** The words that ask; `$1` and so on are groups of the pattern. */
  readonly ask: string;
  /** What may follow it; anything where there is none. */
  readonly follows?: RegExp;
}

/** Makes a question of a sentence whose end mark and surrounding white space are gone; undefined where no rule fits. */
export type SentenceRule = (sentence: string) => MadeQuestion | undefined;

/** Borders of words of any script, in place of `\b`. */
export const BEFORE_WORD = '(?<![\\p{L}\\p{N}])';
export const AFTER_WORD = '(?![\\p{L}\\p{N}])';

const MOST_SUBJECT_WORDS = 10;
const MOST_REMAINING_WORDS = 16;
const MOST_DEFINITION = 160;
/** Signs of a sentence that says more than one thing. */
const NOT_PLAIN = /[,:()„“”«»"–—]/u;

/** What is in front of the rest of a number, a time or a range: a part of it is not asked for. */
const IN_NUMBER = "\\p{N}[.,:/'’ \\u00a0\\u202f–-]";

/** A pattern of whole words; `N` represents a number in figures or in one of the words of `numbers`. */
export function words(pattern: string, numbers = ''): RegExp {
  const figures = `(?<!${IN_NUMBER})(?:\\d{1,3}(?:[.,'’ \\u00a0\\u202f]\\d{3})+(?:[.,]\\d{1,3})?|\\d{1,9}(?:[.,]\\d{1,3})?)(?![.,:/'’]?\\p{N})`;
  const number = `(?:${figures}${numbers === '' ? '' : `|${numbers}`})`;
  return new RegExp(`${BEFORE_WORD}(?:${pattern.replaceAll('{N}', number)})${AFTER_WORD}`, 'u');
}

/** A sentence without the first part that a gap finds in it. */
export interface Opened {
  readonly ask: string;
  readonly answer: string;
  readonly remainder: string;
}

/** The first gap that the text has; undefined where what is around it is more than one plain statement. */
export function openGap(text: string, gaps: readonly Gap[], notWithin: RegExp): Opened | undefined {
  for (const { pattern, ask, follows } of gaps) {
    const found = pattern.exec(text);
    if (found === null) continue;
    const asked = ask.replace(/\$(\d)/gu, (_, group: string) => found[Number(group)] ?? '');
    const [before, after] = [text.slice(0, found.index).trimEnd(), text.slice(found.index + found[0].length).trim()];
    if (isCutOut(before, found[0], after) || follows?.test(after) === false) return undefined;
    const remainder = tidy(`${before} ${after}`);
    const isPlain = !NOT_PLAIN.test(remainder) && remainder.split(' ').length <= MOST_REMAINING_WORDS;
    if (!isPlain || notWithin.test(` ${remainder.toLowerCase()} `)) return undefined;
    return { ask: asked, answer: found[0].trim(), remainder };
  }
  return undefined;
}

/** The first number of a range whose second one is asked for. */
const RANGE = / [£$€]?\p{N}[\p{N}.,:]*(?: [\p{L}%°£$€]+)? ?(?:und|bis|oder|and|or|to|y|o|a|et|ou|à|[-–/])$/u;
/** The second number of a range whose first one is asked for. */
const TO_NUMBER = /^(?:to|bis|a|à) ?[£$€]?\p{N}/u;
const LIST = /^(?:und|oder|sowie|and|or|y|o|et|ou) /u;
/** English leaves these at the end of a question, and nowhere else. */
const LEFT_AT_END = /(?:^| )(?:of|to|for|with|from|at|in|on|by|about|into|over|under|within)$/u;
/** A preposition, with an adjective of what is asked for behind it or not: „um weitere“. */
const NEVER_LEFT =
  /(?:^| )(?:von|zu|mit|für|auf|an|bei|nach|aus|um|über|unter|pro|je|gegen|binnen|durch|ohne|seit|vor|hinter|neben|zwischen|innerhalb|außerhalb|wegen|trotz|statt|laut|gegenüber)(?: (?:weiteren?|volle[nr]?|ganze[nr]?|etwa|rund|circa|jeweils|mindestens|höchstens|maximal))*$|(?:^| )(?:of|to|for|with|from|at|in|on|by|about|into|over|under|within) (?:an? )?(?:further|another|additional|full|about|around|approximately|at least|at most)$|(?:^| )(?:de|con|por|para|en|entre|sobre|sur|sous|dans|pour|par|avec|à|d’|d')$/u;

/** Whether what is asked for is a part of a range or of a list, is followed by another statement, or belongs to a preposition that would be left alone. */
function isCutOut(before: string, asked: string, after: string): boolean {
  // « 20 euros à 40 euros »: what is asked for may begin with the word of the range.
  if (RANGE.test(` ${before}`) || RANGE.test(` ${before} ${asked.split(' ', 1).join('')}`)) return true;
  if (TO_NUMBER.test(after) || LIST.test(after) || /^[,;:–—-]/u.test(after)) return true;
  return NEVER_LEFT.test(before) || (LEFT_AT_END.test(before) && after !== '');
}

/** One space between words, none before signs; no comma at either end. */
export function tidy(text: string): string {
  return text
    .replace(/\s+/gu, ' ')
    .replace(/ ([,;.!?])/gu, '$1')
    .replace(/^[\s,;]+|[\s,;]+$/gu, '');
}

/** Whether words can be the subject of a question: short, complete, and naming what they are about. */
export function isSubject(text: string, notFirst: ReadonlySet<string>, notWithin: RegExp): boolean {
  const list = text.split(' ');
  if (list.length > MOST_SUBJECT_WORDS || !/\p{L}{3}/u.test(text)) return false;
  return !notFirst.has(list[0]!.toLowerCase()) && !notWithin.test(` ${text.toLowerCase()} `);
}

/** Without the capital that begins a sentence, where the first word is one of these, or means something and no word in capitals follows. */
export function withoutCapital(
  text: string,
  lowered: ReadonlySet<string>,
  isWord: (lower: string) => boolean = () => false,
): string {
  const [first = ''] = text.split(/[ '’]/u, 1);
  const isName = /\p{Lu}/u.test(text.split(' ', 2).join(' ').slice(1));
  return lowered.has(first.toLowerCase()) || (isWord(first.toLowerCase()) && !isName)
    ? text[0]!.toLowerCase() + text.slice(1)
    : text;
}

/** With the capital that begins a question. */
export function withCapital(text: string): string {
  return text === '' ? '' : text[0]!.toUpperCase() + text.slice(1);
}

export function listOf(text: string): ReadonlySet<string> {
  return new Set(text.split(' '));
}

/** What a definition says, up to its first comma; undefined where that is too long to be an answer. */
function definitionOf(text: string): string | undefined {
  const [said = ''] = text.split(/[,–—(]/u, 1);
  return said.length > MOST_DEFINITION ? undefined : said.trim();
}

/** A question for what something is; none where what is said goes on to more than that: “the period: six months”. */
export function askForDefinition(question: string, said: string): MadeQuestion | undefined {
  const answer = definitionOf(said);
  return answer === undefined || said.includes(':') ? undefined : { question, answer };
}
