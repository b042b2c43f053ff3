import type { CellValue } from './column-type.js';

/** What the values of a column are like; rows that sum up others are not counted. */
export interface ColumnProfile {
  readonly nulls: number;
  /** Different values; `null` beyond `DISTINCT_COUNTED`. */
  readonly distinct: number | null;
  readonly min: CellValue;
  readonly max: CellValue;
  /** Different values, the first ones. */
  readonly samples: readonly CellValue[];
}

export const DISTINCT_COUNTED = 10_000;
const SAMPLES = 5;
const SAMPLE_UNITS = 80;

/** Gathers the profile of a column value by value. */
export class ColumnProfiler {
  private nulls = 0;
  private readonly distinct = new Set<CellValue>();
  private isBeyond = false;
  private min: CellValue = null;
  private max: CellValue = null;
  private readonly samples: CellValue[] = [];

  add(value: CellValue): void {
    if (value === null) {
      this.nulls += 1;
      return;
    }
    const short = typeof value === 'string' && value.length > SAMPLE_UNITS ? cut(value) : value;
    if (this.min === null || value < this.min) this.min = short;
    if (this.max === null || value > this.max) this.max = short;
    if (this.isBeyond) return;
    const known = this.distinct.size;
    this.distinct.add(value);
    if (this.distinct.size > known && this.samples.length < SAMPLES) this.samples.push(short);
    if (this.distinct.size <= DISTINCT_COUNTED) return;
    this.isBeyond = true;
    this.distinct.clear();
  }

  finish(): ColumnProfile {
    const { nulls, min, max, samples } = this;
    return { nulls, distinct: this.isBeyond ? null : this.distinct.size, min, max, samples };
  }
}

function cut(text: string): string {
  return `${text.slice(0, SAMPLE_UNITS - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
