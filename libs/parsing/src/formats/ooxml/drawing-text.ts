import type { FlowTable } from '../../output/table-builder.js';
import type { OoxmlPackage } from './ooxml-package.js';

/** The text of a chart: its titles and the values that it shows. */
export interface ChartText {
  titles: string[];
  /** First row: series; first column: categories. Empty when the chart holds no values. */
  rows: FlowTable;
}

interface Series {
  name: string;
  categories: Map<number, string>;
  values: Map<number, string>;
}

/** Points of a chart that are read; more are no text for a reader. */
const MAX_POINTS = 5000;
const MAX_SERIES = 100;
/** Elements that say whose points follow. */
const POINT_HOLDERS: Readonly<Record<string, 'name' | 'categories' | 'values'>> = {
  'c:tx': 'name',
  'c:cat': 'categories',
  'c:xVal': 'categories',
  'c:val': 'values',
  'c:yVal': 'values',
};

/** Reads a chart part: the values that were saved with it, not those of a workbook behind it. */
export async function readChart(parts: OoxmlPackage, name: string): Promise<ChartText> {
  const reader = new ChartReader();
  await parts.read(name, reader);
  return { titles: reader.titles.map((title) => title.trim()).filter(Boolean), rows: tableOf(reader.series) };
}

class ChartReader {
  readonly titles: string[] = [];
  readonly series: Series[] = [];
  private current: Series | undefined;
  private holder: 'name' | 'categories' | 'values' | undefined;
  private point = 0;
  private isInTitle = false;
  private isText = false;

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    const holder = POINT_HOLDERS[name];
    this.isText = name === 'a:t' || name === 'c:v';
    if (name === 'c:ser') this.current = { name: '', categories: new Map(), values: new Map() };
    else if (name === 'c:title') this.titles.push('');
    else if (name === 'c:pt') this.point = Number(attributes['idx'] ?? 0);
    if (name === 'c:title') this.isInTitle = true;
    if (holder !== undefined && this.current !== undefined) this.holder = holder;
  }

  close(name: string): void {
    this.isText = false;
    if (name === 'c:title') this.isInTitle = false;
    if (name === 'a:p' && this.isInTitle) this.titles[this.titles.length - 1] += ' ';
    if (POINT_HOLDERS[name] !== undefined) this.holder = undefined;
    if (name !== 'c:ser' || this.current === undefined) return;
    if (this.series.length < MAX_SERIES) this.series.push(this.current);
    this.current = undefined;
  }

  text(text: string): void {
    if (!this.isText) return;
    if (this.isInTitle) this.titles[this.titles.length - 1] += text;
    else if (this.holder !== undefined && this.current !== undefined) this.addPoint(this.current, this.holder, text);
  }

  private addPoint(series: Series, holder: 'name' | 'categories' | 'values', text: string): void {
    if (holder === 'name') {
      series.name += text;
      return;
    }
    const points = series[holder];
    if (points.size < MAX_POINTS) points.set(this.point, (points.get(this.point) ?? '') + text);
  }
}

function tableOf(series: readonly Series[]): FlowTable {
  if (series.length === 0) return [];
  const indices = new Set(series.flatMap(({ categories, values }) => [...categories.keys(), ...values.keys()]));
  const body = [...indices]
    .sort((left, right) => left - right)
    .map((index) => [
      series.find(({ categories }) => categories.has(index))?.categories.get(index) ?? String(index + 1),
      ...series.map(({ values }) => shortNumber(values.get(index) ?? '')),
    ]);
  return body.length === 0 ? [] : [['', ...series.map(({ name }) => name)], ...body];
}

/** Values are saved with all digits of their binary form: `0.30000000000000004` was typed as `0.3`. */
export function shortNumber(text: string): string {
  if (!/^-?\d+\.\d{8,}(?:E[-+]?\d+)?$/i.test(text)) return text;
  return String(Number(Number(text).toPrecision(15)));
}

/** A shape of a diagram, and how deep below the first ones it is drawn. */
export interface DiagramItem {
  readonly text: string;
  /** From 1. */
  readonly level: number;
}

/** A place of a shape below another one. */
interface Connection {
  readonly shape: string;
  readonly order: number;
}

/** The texts of a diagram (SmartArt), shape by shape as they are drawn: connections order them, whatever order they were made in. */
export async function readDiagram(parts: OoxmlPackage, name: string): Promise<DiagramItem[]> {
  const reader = new DiagramReader();
  await parts.read(name, reader);
  return reader.items();
}

class DiagramReader {
  private readonly texts = new Map<string, string>();
  private readonly below = new Map<string, Connection[]>();
  private readonly placed = new Set<string>();
  private shape: string | undefined;
  private isText = false;

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    this.isText = name === 'a:t';
    if (name === 'dgm:pt') {
      this.shape = attributes['modelId'] ?? `#${this.texts.size}`;
      this.texts.set(this.shape, '');
    } else if (name === 'dgm:cxn') this.connect(attributes);
  }

  close(name: string): void {
    this.isText = false;
    if (name === 'dgm:pt') this.shape = undefined;
    else if (name === 'a:p') this.text(' ', true);
  }

  text(text: string, isBreak = false): void {
    if ((!this.isText && !isBreak) || this.shape === undefined) return;
    this.texts.set(this.shape, this.texts.get(this.shape)! + text);
  }

  items(): DiagramItem[] {
    const items: DiagramItem[] = [];
    const seen = new Set<string>();
    // From the last to the first, since the one on top is taken next.
    const next = [...this.texts.keys()]
      .filter((shape) => !this.placed.has(shape))
      .toReversed()
      .map((shape) => ({ shape, level: 1 }));
    const take = (): void => {
      for (let place = next.pop(); place !== undefined; place = next.pop()) {
        const { shape, level } = place;
        if (seen.has(shape)) continue;
        seen.add(shape);
        const text = this.texts.get(shape)?.trim() ?? '';
        if (text !== '') items.push({ text, level });
        const below = (this.below.get(shape) ?? []).toSorted((left, right) => right.order - left.order);
        for (const other of below) next.push({ shape: other.shape, level: text === '' ? level : level + 1 });
      }
    };
    take();
    // Shapes that are only below each other.
    for (const shape of this.texts.keys()) {
      next.push({ shape, level: 1 });
      take();
    }
    return items;
  }

  /** Other connections tell of the drawing: which shape shows a text, and where one line between shapes begins. */
  private connect({ type = 'parOf', srcId, destId, srcOrd }: Readonly<Record<string, string>>): void {
    if (type !== 'parOf' || srcId === undefined || destId === undefined || this.placed.has(destId)) return;
    this.placed.add(destId);
    const below = this.below.get(srcId) ?? [];
    below.push({ shape: destId, order: Number(srcOrd) || 0 });
    this.below.set(srcId, below);
  }
}
