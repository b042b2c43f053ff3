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

/** The texts of a diagram (SmartArt), shape by shape. */
export async function readDiagram(parts: OoxmlPackage, name: string): Promise<string[]> {
  const texts: string[] = [];
  let isText = false;
  await parts.read(name, {
    open: (element) => {
      isText = element === 'a:t';
      if (element === 'dgm:pt') texts.push('');
    },
    close: (element) => {
      isText = false;
      if (element === 'a:p' && texts.length > 0) texts[texts.length - 1] += ' ';
    },
    text: (text) => {
      if (isText && texts.length > 0) texts[texts.length - 1] += text;
    },
  });
  return texts.map((text) => text.trim()).filter(Boolean);
}
