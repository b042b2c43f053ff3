import type { Block } from '#libs/text';
import { MAX_BLOCK_UNITS, type BlockScanner, type EmitBlock } from './block-scanner.js';
import { LineSplitter, type ScannedLine } from './line-splitter.js';
import { indentOf } from './markdown-lines.js';
import { isBlank } from './paragraph-scanner.js';

/** A definition longer than this is cut at the definitions inside of it (the methods of a class). */
const MAX_UNIT_UNITS = 4000;
/** Parts of a long definition that are shorter stay with their neighbour. */
const MIN_PART_UNITS = 800;

interface SourceLine {
  start: number;
  end: number;
  indent: number;
  /** First line after a blank one. */
  afterBlank: boolean;
  /** A closing bracket or keyword: it belongs to what is above. */
  isCloser: boolean;
}

/**
 * Code blocks of a source file, whatever its language: a unit begins at a line that is not indented and follows a blank
 * line, or follows indented lines without closing them. Comments, decorators and attributes directly above a definition
 * stay with it. Holds one unit at a time. Knows no grammar: a string with blank lines may be cut.
 */
export class SourceScanner implements BlockScanner {
  private readonly emit: EmitBlock;
  private readonly language: string | undefined;
  private readonly lines = new LineSplitter((line) => this.takeLine(line));
  private unit: SourceLine[] = [];
  private afterBlank = false;

  constructor(emit: EmitBlock, language: string | undefined) {
    this.emit = emit;
    this.language = language;
  }

  feed(piece: string): void {
    this.lines.feed(piece);
  }

  finish(): void {
    this.lines.finish();
    this.close();
  }

  private takeLine(line: ScannedLine): void {
    if (!line.beginsLine) {
      const last = this.unit.at(-1);
      if (last !== undefined && line.end - this.unit[0]!.start <= MAX_BLOCK_UNITS) last.end = line.end;
      else if (!isBlank(line.text)) this.begin(line);
      return;
    }
    if (isBlank(line.text)) {
      this.afterBlank = true;
      return;
    }
    const next = this.describe(line);
    if (this.beginsUnit(next)) this.close();
    this.unit.push(next);
    this.afterBlank = false;
  }

  private begin(line: ScannedLine): void {
    this.close();
    this.unit.push(this.describe(line));
    this.afterBlank = false;
  }

  private describe({ text, start, end }: ScannedLine): SourceLine {
    const isCloser =
      /^\s*(?:[)\]}]|end\b|else\b|elif\b|elsif\b|except\b|finally\b|catch\b|fi\b|done\b|esac\b|\*\/)/.test(text);
    return { start, end, indent: indentOf(text), afterBlank: this.afterBlank, isCloser };
  }

  private beginsUnit(line: SourceLine): boolean {
    const first = this.unit[0];
    if (first === undefined) return false;
    if (line.end - first.start > MAX_BLOCK_UNITS) return true;
    if (line.indent > 0 || line.isCloser) return false;
    const above = this.unit.at(-1)!;
    return line.afterBlank || above.indent > 0 || (above.isCloser && this.unit.length > 1);
  }

  private close(): void {
    const unit = this.unit;
    this.unit = [];
    if (unit.length > 0) this.emitUnit(unit);
  }

  /** A long unit is cut before lines of the least indentation inside of it that follow a blank line or close another. */
  private emitUnit(unit: readonly SourceLine[]): void {
    if (length(unit) <= MAX_UNIT_UNITS) return this.emitLines(unit);
    const borders = bordersOf(unit);
    let from = 0;
    for (const border of borders) {
      if (unit[border]!.start - unit[from]!.start < MIN_PART_UNITS) continue;
      this.emitLines(unit.slice(from, border));
      from = border;
    }
    this.emitLines(unit.slice(from));
  }

  private emitLines(lines: readonly SourceLine[]): void {
    const block: Block = { kind: 'code', start: lines[0]!.start, end: lines.at(-1)!.end };
    if (this.language !== undefined) block.language = this.language;
    this.emit(block);
  }
}

function length(lines: readonly SourceLine[]): number {
  return lines.at(-1)!.end - lines[0]!.start;
}

/** Indexes at which a long unit may be cut, ascending: the shallowest indentation that gives any. */
function bordersOf(unit: readonly SourceLine[]): number[] {
  const indents = [...new Set(unit.map(({ indent }) => indent))].toSorted((a, b) => a - b).slice(0, 4);
  for (const indent of indents) {
    const borders: number[] = [];
    for (let at = 1; at < unit.length; at += 1) {
      const line = unit[at]!;
      if (line.indent <= indent && line.afterBlank && !line.isCloser) borders.push(at);
    }
    if (borders.length > 0) return borders;
  }
  return [];
}
