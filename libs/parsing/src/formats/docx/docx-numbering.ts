import { formatNumber, type NumberStyle } from '../../numbering/format-number.js';
import type { OoxmlPackage } from '../ooxml/ooxml-package.js';
import type { DocxStyles } from './docx-styles.js';

interface Level {
  format: string;
  /** With `%1` … `%9` for the counters of the levels. */
  text: string;
  start: number;
  /** 0: goes on when a higher level counts. */
  restart?: number;
  isLegal: boolean;
  style?: string;
}

interface AbstractList {
  levels: Map<number, Level>;
  /** A style whose list is meant. */
  styleLink?: string;
}

interface List {
  abstractId: string;
  /** Starts of single levels that this list sets again. */
  starts: Map<number, number>;
  levels: Map<number, Level>;
}

/** The marker of a list paragraph and how deep it lies. */
export interface ListMark {
  /** Text of the number, `''` for one that shows nothing, undefined for a bullet. */
  label?: string;
  /** From 0. */
  level: number;
}

const STYLES: Readonly<Record<string, NumberStyle>> = {
  decimalZero: 'decimal-zero',
  lowerLetter: 'lower-letter',
  upperLetter: 'upper-letter',
  lowerRoman: 'lower-roman',
  upperRoman: 'upper-roman',
};
const MAX_LEVEL = 8;

/** Counts the automatic numbers of a document as the word processor shows them. */
export class DocxNumbering {
  private readonly styles: DocxStyles;
  private readonly abstracts = new Map<string, AbstractList>();
  private readonly lists = new Map<string, List>();
  /** Counters by abstract list: lists that share one go on counting. */
  private readonly counters = new Map<string, (number | undefined)[]>();
  private readonly begun = new Set<string>();

  constructor(styles: DocxStyles) {
    this.styles = styles;
  }

  /** Reads the part with the lists; a document may have none. */
  async read(parts: OoxmlPackage, name: string | undefined): Promise<void> {
    let abstract: AbstractList | undefined;
    let list: List | undefined;
    let level: Level | undefined;
    let overridden = 0;
    await parts.read(name, {
      open: (element, attributes) => {
        const value = attributes['w:val'] ?? '';
        if (element === 'w:abstractNum') {
          abstract = { levels: new Map() };
          this.abstracts.set(attributes['w:abstractNumId'] ?? '', abstract);
        } else if (element === 'w:num') {
          list = { abstractId: '', starts: new Map(), levels: new Map() };
          this.lists.set(attributes['w:numId'] ?? '', list);
        } else if (element === 'w:lvl') {
          level = { format: 'decimal', text: '', start: 1, isLegal: false };
          (list ?? abstract)?.levels.set(Number(attributes['w:ilvl']), level);
        } else if (element === 'w:abstractNumId' && list !== undefined) list.abstractId = value;
        else if (element === 'w:lvlOverride') overridden = Number(attributes['w:ilvl']);
        else if (element === 'w:startOverride') list?.starts.set(overridden, Number(value));
        else if (element === 'w:numStyleLink' && abstract !== undefined) abstract.styleLink = value;
        else if (level !== undefined) describeLevel(level, element, value);
      },
      close: (element) => {
        if (element === 'w:abstractNum') abstract = undefined;
        else if (element === 'w:num') list = undefined;
        else if (element === 'w:lvl') level = undefined;
      },
    });
  }

  /** Counts a paragraph of a list; undefined when there is no such list. Without a level, that of the style decides. */
  next(numId: string, asked: number | undefined, styleId: string | undefined): ListMark | undefined {
    const list = this.lists.get(numId);
    if (list === undefined) return undefined;
    const abstractId = this.follow(list.abstractId);
    const depth = clamp(asked ?? this.levelOfStyle(abstractId, styleId) ?? 0);
    const level = this.levelAt(list, abstractId, depth);
    if (level === undefined) return { level: depth };
    const counters = this.count(numId, list, abstractId, depth, level);
    if (level.format === 'bullet') return { level: depth };
    const label = level.text.replace(/%([1-9])/g, (_, digit: string) => {
      const at = Number(digit) - 1;
      const own = this.levelAt(list, abstractId, at);
      const value = counters[at] ?? own?.start ?? 1;
      return own?.format === 'none' ? '' : formatNumber(value, styleOf(level.isLegal ? undefined : own?.format));
    });
    return { label: label.trim(), level: depth };
  }

  private count(numId: string, list: List, abstractId: string, depth: number, level: Level): (number | undefined)[] {
    let counters = this.counters.get(abstractId);
    if (counters === undefined) this.counters.set(abstractId, (counters = []));
    const key = `${numId} ${depth}`;
    const override = this.begun.has(key) ? undefined : list.starts.get(depth);
    this.begun.add(key);
    // A level that was skipped counts as shown with its first number.
    for (let above = 0; above < depth; above += 1) counters[above] ??= this.levelAt(list, abstractId, above)?.start;
    const before = counters[depth];
    counters[depth] = override ?? (before === undefined ? level.start : before + 1);
    for (let below = depth + 1; below <= MAX_LEVEL; below += 1) {
      if (this.levelAt(list, abstractId, below)?.restart !== 0) counters[below] = undefined;
    }
    return counters;
  }

  private levelAt(list: List, abstractId: string, depth: number): Level | undefined {
    return list.levels.get(depth) ?? this.abstracts.get(abstractId)?.levels.get(depth);
  }

  /** A list may say that it is the list of a style. */
  private follow(abstractId: string): string {
    const link = this.abstracts.get(abstractId)?.styleLink;
    const numId = link === undefined ? undefined : this.styles.listOf(link)?.numId;
    return (numId === undefined ? undefined : this.lists.get(numId)?.abstractId) ?? abstractId;
  }

  private levelOfStyle(abstractId: string, styleId: string | undefined): number | undefined {
    for (const [depth, { style }] of this.abstracts.get(abstractId)?.levels ?? []) {
      if (style !== undefined && style === styleId) return depth;
    }
    return undefined;
  }
}

function describeLevel(level: Level, element: string, value: string): void {
  if (element === 'w:numFmt') level.format = value;
  else if (element === 'w:lvlText') level.text = value;
  else if (element === 'w:start') level.start = Number(value);
  else if (element === 'w:lvlRestart') level.restart = Number(value);
  else if (element === 'w:isLgl') level.isLegal = value !== '0' && value !== 'false';
  else if (element === 'w:pStyle') level.style = value;
}

function styleOf(format: string | undefined): NumberStyle {
  return (format === undefined ? undefined : STYLES[format]) ?? 'decimal';
}

function clamp(level: number): number {
  return Number.isInteger(level) ? Math.min(Math.max(level, 0), MAX_LEVEL) : 0;
}
