/** A text with what its renderer decodes already decoded. */
export interface PlainText {
  readonly value: string;
  /** Places of characters that were written with a backslash. */
  readonly escaped: ReadonlySet<number>;
}

/** What is around a text, as far as its characters mean something by it. */
export interface TextPlace {
  /** Whether a `>` is in the same block: only then `<` can begin a tag behind the beginning of a line. */
  readonly hasPointed: boolean;
  /** Whether the text is in a cell of a table. */
  readonly isCell: boolean;
  /** Whether code of the same block holds `](`, which some renderers take for the end of a label that begins in the text. */
  readonly hasLinkedCode: boolean;
  /** Whether code of the same block holds a tilde, which some renderers take for the end of what tildes strike out. */
  readonly hasStruckCode: boolean;
}

const PUNCTUATION = /[!-/:-@[-`{-~]/;
const ENTITY = /^&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});/i;
const STRUCK = /^~(?=[^\s~])[^]*?[^\s~]~|^~~/;
/** So far a closing tilde is looked for; beyond it some renderers may strike a text out. */
const MAX_STRUCK = 200;
const DEFINITION = /(^|\n)([ \t]*\[(?:[^[\]\\]|\\[^]){1,1000}\]):/g;

/**
 * A stretch of a text as Markdown that shows it: backslashes before what would be markup, and nowhere else.
 * @param next what is written behind the stretch; '' at the end of a line.
 */
export function escapeText(
  { value, escaped }: PlainText,
  from: number,
  to: number,
  next: string,
  place: TextPlace,
): string {
  let out = '';
  for (let at = from; at < to; at += 1) {
    const character = value[at]!;
    const isActive = escaped.has(at) || isMarkup(value, at, at + 1 < to ? value[at + 1]! : next.charAt(0), place);
    out += isActive && PUNCTUATION.test(character) ? `\\${character}` : character;
  }
  return out;
}

function isMarkup(value: string, at: number, next: string, place: TextPlace): boolean {
  const before = value[at - 1];
  switch (value[at]) {
    case '\\':
      return next === '' || next === '\n' || PUNCTUATION.test(next);
    case '`':
      return true;
    case '<':
      return place.hasPointed && /[a-z/!?]/i.test(next);
    case '&':
      return ENTITY.test(value.slice(at, at + 40));
    case '(':
      return before === ']';
    case '^':
      return before === '[';
    case '[':
      return before === '^' || place.hasLinkedCode;
    case '!':
      return at === value.length - 1 && next === '[';
    case '~':
      return place.hasStruckCode || STRUCK.test(value.slice(at, at + MAX_STRUCK));
    case '|':
      return place.isCell;
    default:
      return false;
  }
}

/** A block, already escaped, so that no line of it can be the definition of a link. */
export function escapeDefinitions(block: string): string {
  return block.includes(']:') ? block.replace(DEFINITION, '$1$2\\:') : block;
}

/** What a line begins with that would make it something other than text; `isFirst`: of its block. */
const LINE_STARTS: readonly RegExp[] = [
  /^#{1,6}(?=\s|$)/,
  /^[-+*](?=\s|$)/,
  /^>/,
  /^~{3}/,
  /^(?:-[ \t]*){2,}$/,
  /^=+[ \t]*$/,
  /^<(?![a-z]+:\/\/)(?=[a-z/!?])/i,
  /^[|:-][-:| \t]*-[-:| \t]*$/,
];
const NUMBERED = { first: /^(\d{1,9})(?=[.)](?:\s|$))/, later: /^(1)(?=[.)](?:\s|$))/ };
const TASK = /^\[(?=[ x]\](?:\s|$))/i;

/** A line of a paragraph, already escaped, so that no renderer takes its beginning for that of another block. */
export function escapeLineStart(line: string, isFirst: boolean, isItem: boolean): string {
  const text = line.trimStart();
  if (LINE_STARTS.some((start) => start.test(text)) || (isItem && isFirst && TASK.test(text))) return `\\${text}`;
  return text.replace(isFirst ? NUMBERED.first : NUMBERED.later, '$1\\');
}
