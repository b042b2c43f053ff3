import { cellsOf } from '#libs/text';
import { stripMarkers } from './markers.js';

/** Tags that show, load or run something where an answer is shown as Markdown or HTML. */
const TAG =
  /<\/?(?:a|img|script|style|iframe|svg|object|embed|form|input|button|video|audio|link|meta|base|br|div|span|p|b|i|u|em|strong|table|t[rdh]|[uo]l|li|code|pre|h[1-6]|details|summary)\b[^<>]*>/gi;

/** Where a link or an image leads to, in brackets: an address with brackets in pairs or between `<` and `>`, and perhaps a title. */
const ADDRESS = String.raw`(?:<[^<>\n]*>|(?:[^()\s\\]|\\.|\((?:[^()\\]|\\.)*\))*)`;
const TITLE = String.raw`(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\((?:[^()\\]|\\.)*\))`;
const DESTINATION = String.raw`\(\s*${ADDRESS}(?:\s+${TITLE})?\s*\)`;
const IMAGE = new RegExp(String.raw`!\[([^\]]*)\](?:${DESTINATION}|\([^)]*\))`, 'g');
const LINK = new RegExp(String.raw`\[([^\]]+)\](?:${DESTINATION}|\([^)]*\))`, 'g');
/** Code in a line. */
const CODE = /(`[^`\n]+`)/;

/**
 * A stretch of a source as it is quoted: on one line and in the source's own words, but without what would work as Markdown
 * or HTML in the answer. A fence that is opened would take the markers behind it for code; images would be loaded. Code in a line stays as it is.
 */
export function quoteText(text: string): string {
  const plain = text
    .replace(/^(?:\s*(?:#{1,6}|[-*+•‣▪>]|\d{1,3}[.)])\s+)+/, '')
    .replace(/^\s*(?:=+\s)+|(?:\s=+)+\s*$/g, '')
    .replace(/^[ \t]*(?:`{3,}|~{3,})[\w+.-]*[ \t]*$/gm, ' ')
    .replace(/`{2,}|~{3,}/g, '');
  return stripMarkers(withoutMarkup(plain))
    .replace(/\s+/g, (space) => (space.includes('\n') ? ' ' : space))
    .trim();
}

/** Without images, links and tags outside of code; a backtick without another one begins no code. */
function withoutMarkup(text: string): string {
  const even = (text.match(/`/g)?.length ?? 0) % 2 === 0 ? text : text.replaceAll('`', '');
  const bare = (part: string): string =>
    part
      .replace(IMAGE, '$1')
      .replace(LINK, '$1')
      .replace(/<!--|-->/g, '')
      .replace(TAG, '');
  return even
    .split(CODE)
    .map((part, at) => (at % 2 === 1 ? part : bare(part)))
    .join('');
}

const AMOUNT = /^[-+]?\p{Sc}?\s?\d[\d.,'’\s]*(?:\s?[\p{L}%²³]{1,12})?$/u;
const NUMBERING = /(?:nummer|number|nr|no|code|id|sku|kennung|référence|código)\.?$/iu;

/** A number that says how much there is of something. */
function isAmount({ cell, head }: { readonly cell: string; readonly head: string }): boolean {
  return AMOUNT.test(cell) && !NUMBERING.test(head);
}

/**
 * A row of a table as a statement: the cell that names it and the cells asked for, each with its header. Without a header, or
 * where no column was asked for, all cells.
 * @param asks how far a text holds words of the question, 0 for not at all.
 * @param isOfSort whether a cell with its header holds what is asked for, whatever its words.
 * @param wantsNumber whether a number is asked for: where no column that the question names holds one, those that do are shown too.
 */
export function quoteRow(
  row: string,
  header: string | null,
  asks: (text: string) => number,
  isOfSort: (text: string) => boolean = () => false,
  wantsNumber = false,
): string {
  // Code that the border of a cell cuts is none in the cells.
  const cells = cellsOf(quoteText(row)).map(withoutMarkup);
  if (header === null) {
    const filled = cells.filter((cell) => cell !== '');
    const [name = '', value] = filled;
    const isFact = filled.length === 2 && /\p{L}/u.test(name);
    return isFact ? `${name.replace(/:$/, '')}: ${value}.` : `${filled.join(', ')}.`;
  }
  const heads = cellsOf(quoteText(header));
  const columns = cells
    .map((cell, at) => ({ cell, head: heads[at] ?? '', at }))
    .filter(({ cell }) => cell !== '' && cell !== '-');
  const isNamed = columns.some(({ head }) => asks(head) > 0);
  const fitting = columns.filter(({ head, cell }) => isNamed && (asks(head) > 0 || isOfSort(`${head}: ${cell}`)));
  const numbers = wantsNumber && isNamed && !fitting.some(isAmount) ? columns.filter(isAmount) : [];
  const asked = [...fitting, ...numbers];
  const named = columns.filter(({ cell, at }) => at === 0 || asks(cell) > 0);
  const shown =
    asked.length === 0 ? columns : columns.filter((column) => asked.includes(column) || named.includes(column));
  // A row that is named only by its asked column would say nothing of the rest.
  const told = shown.length < 2 ? columns : shown;
  return `${told.map(({ cell, head }) => (head === '' ? cell : `${head}: ${cell}`)).join('; ')}.`;
}
