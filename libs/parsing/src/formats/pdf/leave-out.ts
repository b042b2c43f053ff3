import type { LayoutBlock } from '@llamaindex/liteparse';
import { bare } from './page-text.js';
import { boxOf, rowsOf } from './tables-beside.js';

/** A text that is at the beginning or end of what a page says, with its height on the page. */
export interface EdgeText {
  readonly y: number;
  /** The parts of a line; they are looked for together, then each alone. */
  readonly parts: readonly string[];
}

/** Points by which the rectangle of a block may miss its lines. */
const TOLERANCE = 3;
const AFTER = /^[\s|·•–—.,;:)\]-]+/u;
const BEFORE = /[\s|·•–—([-]+$/u;

/** The blocks of a page without these texts, as far as they begin or end one. */
export function leaveOut(blocks: readonly LayoutBlock[], texts: readonly EdgeText[]): LayoutBlock[] {
  let rest = [...blocks];
  for (const { y, parts } of texts) {
    const whole = without(rest, parts.join(''), y);
    rest = whole ?? parts.reduce((left, part) => without(left, part, y) ?? left, rest);
  }
  return rest;
}

/** Lines of a plain page without these texts, from its first and last lines. */
export function leaveOutLines(text: string, texts: readonly EdgeText[]): string {
  const lines = text.split('\n');
  for (const { parts } of texts) {
    const sought = bare(parts.join(''));
    const filled = lines.flatMap((line, at) => (line.trim() === '' ? [] : [at]));
    const edges = [...filled.slice(0, texts.length), ...filled.slice(-texts.length)];
    const at = edges.find((edge) => bare(lines[edge]!) === sought);
    if (at !== undefined) lines[at] = '';
  }
  return lines.join('\n');
}

/** Undefined where no block at that height begins or ends with the text. */
function without(blocks: readonly LayoutBlock[], text: string, y: number): LayoutBlock[] | undefined {
  const sought = bare(text);
  if (sought === '') return undefined;
  for (const [at, block] of blocks.entries()) {
    const { bbox } = block;
    if (bbox === undefined || y < bbox.y - TOLERANCE || y > bbox.y + bbox.height + TOLERANCE) continue;
    const left = cut(block, sought, y < bbox.y + bbox.height / 2);
    if (left !== undefined) return [...blocks.slice(0, at), ...left, ...blocks.slice(at + 1)];
  }
  return undefined;
}

function cut(block: LayoutBlock, sought: string, isAbove: boolean): LayoutBlock[] | undefined {
  if (block.kind === 'table') return cutRow(block, sought);
  if (block.lines !== undefined) return cutLine(block, block.lines, sought);
  const text = block.text ?? '';
  const all = bare(`${block.marker ?? ''}${text}`);
  if (all === sought) return [];
  const isMarked = (block.marker ?? '') !== '';
  if (!isMarked && all.startsWith(sought) && (isAbove || !all.endsWith(sought))) {
    return [{ ...block, text: text.slice(endOf(text, sought.length)).replace(AFTER, '') }];
  }
  if (isMarked || !all.endsWith(sought)) return undefined;
  return [{ ...block, text: text.slice(0, endOf(text, all.length - sought.length, true)).replace(BEFORE, '') }];
}

function cutRow(block: LayoutBlock, sought: string): LayoutBlock[] | undefined {
  const rows = rowsOf(block);
  const texts = rows.map((row) => bare(row.map(({ text }) => text).join('')));
  const at = texts[0] === sought ? 0 : texts.at(-1) === sought ? texts.length - 1 : undefined;
  if (at === undefined) return undefined;
  const left = rows.toSpliced(at, 1).map((row) => [...row]);
  // Tables are joined over pages by their edges: the line that is left out is none.
  return left.length === 0 ? [] : [{ ...block, header: undefined, rows: left, bbox: boxOf(left) ?? block.bbox }];
}

function cutLine(block: LayoutBlock, lines: readonly string[], sought: string): LayoutBlock[] | undefined {
  const at = [0, lines.length - 1].find((edge) => bare(lines[edge] ?? '') === sought);
  if (at === undefined) return undefined;
  const left = lines.toSpliced(at, 1);
  return left.length === 0 ? [] : [{ ...block, lines: left }];
}

/** Where this many letters and digits end, `isWhole`: and the marks behind them. */
function endOf(text: string, count: number, isWhole = false): number {
  let [end, seen] = [0, 0];
  for (const character of text) {
    const units = bare(character).length;
    if (seen >= count && !(isWhole && units === 0)) break;
    seen += units;
    end += character.length;
  }
  return end;
}
