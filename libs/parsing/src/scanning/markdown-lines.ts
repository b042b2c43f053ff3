/** What a line of Markdown says about itself, before its neighbours are considered. All tests are linear in its length. */
export interface ListMarker {
  indent: number;
  /** Column at which the item's content begins: deeper lines belong to the item. */
  contentIndent: number;
}

/** Opening or closing fence of a code block: its character, its length and the info string's first word. */
export interface Fence {
  character: string;
  length: number;
  language: string | undefined;
  info: string;
}

const HEADING = /^ {0,3}(#{1,6})(?:[ \t]+|$)/;
const LIST_ITEM = /^([ \t]*)([-*+]|\d{1,9}[.)])(?:([ \t]+)|$)/;
const FENCE = /^[ \t]*(`{3,}|~{3,})[ \t]*([^\s`]*)/;
const RULE = /^ {0,3}(?:(?:-[ \t]*){3,}|(?:_[ \t]*){3,}|(?:\*[ \t]*){3,})$/;
const UNDERLINE = /^ {0,3}(=+|-+)[ \t]*$/;

/** Level and the range of the words of an ATX heading, relative to the line; undefined when it is none. */
export function readHeading(line: string): { level: number; from: number; to: number } | undefined {
  const match = HEADING.exec(line);
  if (match === null) return undefined;
  let to = line.trimEnd().length;
  const closing = trailingRun(line, to, '#');
  if (closing < to && (closing <= match[0].length || /[ \t]/.test(line[closing - 1] ?? ''))) to = closing;
  while (to > match[0].length && /[ \t]/.test(line[to - 1] ?? '')) to -= 1;
  return { level: match[1]!.length, from: match[0].length, to: Math.max(to, match[0].length) };
}

/** Index at which the run of `character` that ends at `end` begins. */
function trailingRun(line: string, end: number, character: string): number {
  let at = end;
  while (at > 0 && line[at - 1] === character) at -= 1;
  return at;
}

/** 1 for a line of `=`, 2 for a line of `-`. */
export function readUnderline(line: string): 1 | 2 | undefined {
  const match = UNDERLINE.exec(line);
  if (match === null) return undefined;
  return match[1]!.startsWith('=') ? 1 : 2;
}

/** The marker of a bulleted or numbered item. */
export function readListMarker(line: string): ListMarker | undefined {
  const match = LIST_ITEM.exec(line);
  if (match === null) return undefined;
  const indent = columns(match[1]!);
  return { indent, contentIndent: indent + match[2]!.length + Math.min(Math.max(columns(match[3] ?? ' '), 1), 4) };
}

/** A code fence, opening or closing. */
export function readFence(line: string): Fence | undefined {
  const match = FENCE.exec(line);
  if (match === null) return undefined;
  const character = match[1]![0]!;
  const info = line.slice(match[0].length - match[2]!.length).trim();
  if (character === '`' && info.includes('`')) return undefined;
  return { character, length: match[1]!.length, language: match[2] || undefined, info };
}

/** `---`, `***` or `___`. */
export function isRule(line: string): boolean {
  return RULE.test(line);
}

/** A line of a block quote. */
export function isQuote(line: string): boolean {
  return /^ {0,3}>/.test(line);
}

/** The line between a table's header and its body. */
export function isTableDelimiter(line: string): boolean {
  const trimmed = line.trim();
  if (!trimmed.includes('|') || !trimmed.includes('-') || /[^|:\- \t]/.test(trimmed)) return false;
  return trimmed
    .replace(/^\||\|$/g, '')
    .split('|')
    .every((cell) => /^:?-+:?$/.test(cell.trim()));
}

/** Columns of leading white space; a tab counts to the next multiple of four. */
export function indentOf(line: string): number {
  return columns(/^[ \t]*/.exec(line)![0]);
}

function columns(space: string): number {
  let width = 0;
  for (const character of space) width += character === '\t' ? 4 - (width % 4) : 1;
  return width;
}
