import { BooleanWords, readBoolean } from './boolean-cell.js';
import { isAbsent, isAbsentValue, withoutNoteMark, withoutValueMark } from './cell-text.js';
import type { CellValue, ColumnType } from './column-type.js';
import { readDate, type DateOrder } from './date-cell.js';
import { readNumber, unitKey, type NumberStyle } from './number-cell.js';

/** How the values of a column are read. */
export interface ColumnReading {
  readonly type: ColumnType;
  readonly unit: string | null;
  readonly numberStyle: NumberStyle;
  readonly dateOrder: DateOrder;
  readonly booleanPair: number | undefined;
  /** The order of days and months is by the language, since no value decides it. */
  readonly isOrderGuessed: boolean;
}

/** What the rest of a table says about how its values are written, for columns that do not decide it. */
export interface TableHabits {
  readonly numberStyle: NumberStyle | undefined;
  readonly dateOrder: DateOrder | undefined;
  /** Language of the document, as `de`; null: unknown. */
  readonly language: string | null;
}

/** Values that may be something else than the rest before a column is one of words: one in this many. */
const STRAYS_ONE_IN = 20;
/** In a short column one value may be a stray when it has at least this many. */
const STRAY_FROM = 8;
/** Values that are looked at before a column of words is known as one. */
const EARLY = 400;
/** Languages that write `1.234,5`. */
const COMMA_LANGUAGES = new Set(
  `de fr es it pt nl da sv nb no fi pl cs sk sl hr sr bs bg ru uk tr el hu ro 
  lt lv et id vi ca gl is`.split(/\s+/),
);

/** What the cells of one column have in common, gathered cell by cell. Holds counts, no cells. */
export class ColumnEvidence {
  /** Whether a cell holds any text, were it only a sign for nothing. */
  hasCells = false;
  private values = 0;
  private numbers = 0;
  private codes = 0;
  private readonly style = { point: 0, comma: 0, wholePoint: 0, wholeComma: 0, onlyPoint: 0, onlyComma: 0 };
  private readonly units = new Map<string, { unit: string; count: number }>();
  private dates = 0;
  private times = 0;
  private readonly order = { day_first: 0, month_first: 0, onlyDay: 0, onlyMonth: 0 };
  private readonly separators = new Set<string>();
  private readonly booleans = new BooleanWords();
  private isText = false;

  /** Takes the next cell, trimmed. */
  add(text: string): void {
    if (text !== '') this.hasCells = true;
    if (isAbsent(text) || isAbsentValue(text)) return;
    this.values += 1;
    if (this.isText) return;
    const bare = withoutValueMark(text);
    this.booleans.add(bare);
    if (/\p{N}/u.test(bare)) this.addNumberOrDate(bare);
    if (this.values === EARLY && this.matched < EARLY / 2) this.isText = true;
  }

  /** Values that are numbers, dates or booleans, as far as counted. */
  get matched(): number {
    return Math.max(this.numbers, this.dates, this.booleans.best?.count ?? 0);
  }

  /** Whether the values, so far, are of a type other than text. */
  get isTyped(): boolean {
    return this.values > 0 && this.fits(this.matched) && this.codes * 2 < this.values;
  }

  /** The way of writing numbers that the column's own digits decide. */
  get decidedStyle(): NumberStyle | undefined {
    const { onlyPoint, onlyComma } = this.style;
    if (!this.fits(this.numbers) || onlyPoint === onlyComma) return undefined;
    return onlyPoint > onlyComma ? 'point' : 'comma';
  }

  get decidedOrder(): DateOrder | undefined {
    const { onlyDay, onlyMonth } = this.order;
    if (!this.fits(this.dates) || onlyDay === onlyMonth) return undefined;
    return onlyDay > onlyMonth ? 'day_first' : 'month_first';
  }

  /** How the column is read; `forced` is a type that the policy names. */
  decide(habits: TableHabits, forced?: ColumnType): ColumnReading {
    const reading: ColumnReading = {
      type: 'text',
      unit: null,
      numberStyle: this.numberStyle(habits),
      dateOrder: this.decidedOrder ?? habits.dateOrder ?? this.guessedOrder(habits),
      booleanPair: this.booleans.best?.pair,
      isOrderGuessed: false,
    };
    const type = forced ?? this.typeOf(reading.numberStyle, reading.dateOrder);
    if (type === 'integer' || type === 'number') return { ...reading, type, unit: this.commonUnit };
    const isDate = type === 'date' || type === 'datetime';
    const isOrderGuessed =
      isDate && this.separators.size > 0 && this.decidedOrder === undefined && habits.dateOrder === undefined;
    return { ...reading, type, isOrderGuessed };
  }

  private typeOf(numberStyle: NumberStyle, dateOrder: DateOrder): ColumnType {
    if (this.isText || this.values === 0) return 'text';
    const boolean = this.booleans.best;
    if (boolean !== undefined && boolean.count === this.values) return 'boolean';
    const { style } = this;
    const numbers = numberStyle === 'point' ? style.point : style.comma;
    if (this.fits(numbers) && this.codes === 0 && this.hasOneUnit) {
      const whole = numberStyle === 'point' ? style.wholePoint : style.wholeComma;
      return whole === numbers && this.commonUnit !== '%' && this.commonUnit !== '‰' ? 'integer' : 'number';
    }
    const dates = this.order[dateOrder];
    if (!this.fits(dates)) return 'text';
    return this.times > 0 ? 'datetime' : 'date';
  }

  private numberStyle({ numberStyle, language }: TableHabits): NumberStyle {
    const { point, comma } = this.style;
    if (point !== comma) return point > comma ? 'point' : 'comma';
    return this.decidedStyle ?? numberStyle ?? (COMMA_LANGUAGES.has(language ?? '') ? 'comma' : 'point');
  }

  private guessedOrder({ language }: TableHabits): DateOrder {
    return (language === 'en' || language === null) && this.separators.has('/') ? 'month_first' : 'day_first';
  }

  private get hasOneUnit(): boolean {
    return this.units.size <= 1;
  }

  private get commonUnit(): string | null {
    return this.units.size === 1 ? [...this.units.values()][0]!.unit : null;
  }

  private fits(count: number): boolean {
    const strays = this.values - count;
    if (count === 0) return false;
    return (
      strays === 0 || (this.values >= STRAY_FROM && strays <= Math.max(1, Math.floor(this.values / STRAYS_ONE_IN)))
    );
  }

  private addNumberOrDate(text: string): void {
    const number = readNumber(text);
    if (number !== undefined) this.addNumber(number);
    const date = readDate(text);
    if (date === undefined) return;
    this.dates += 1;
    if (date.hasTime) this.times += 1;
    if (date.separator !== '') this.separators.add(date.separator);
    if (date.day_first !== undefined) this.order.day_first += 1;
    if (date.month_first !== undefined) this.order.month_first += 1;
    if (date.month_first === undefined) this.order.onlyDay += 1;
    if (date.day_first === undefined) this.order.onlyMonth += 1;
  }

  private addNumber(number: NonNullable<ReturnType<typeof readNumber>>): void {
    const { style } = this;
    this.numbers += 1;
    if (number.isCode) this.codes += 1;
    if (number.point !== undefined) style.point += 1;
    if (number.comma !== undefined) style.comma += 1;
    if (number.wholePoint) style.wholePoint += 1;
    if (number.wholeComma) style.wholeComma += 1;
    if (number.decides === 'point') style.onlyPoint += 1;
    if (number.decides === 'comma') style.onlyComma += 1;
    if (number.unit === '' || this.units.size > 8) return;
    const key = unitKey(number.unit);
    const known = this.units.get(key);
    this.units.set(key, { unit: longer(known?.unit, number.unit), count: (known?.count ?? 0) + 1 });
  }
}

/** The value of a trimmed cell; undefined when the cell holds something that cannot be read so. */
export function readValue(text: string, reading: ColumnReading): CellValue | undefined {
  if (reading.type === 'text') return isAbsent(text) ? null : withoutNoteMark(text);
  if (isAbsentValue(text)) return null;
  const bare = withoutValueMark(text);
  switch (reading.type) {
    case 'integer':
    case 'number': {
      const number = readNumber(bare)?.[reading.numberStyle];
      if (number === undefined || !Number.isFinite(number)) return undefined;
      return reading.type === 'number' || Number.isSafeInteger(number) ? number : undefined;
    }
    case 'date':
    case 'datetime': {
      const value = readDate(bare)?.[reading.dateOrder];
      if (value === undefined) return undefined;
      if (reading.type === 'date') return value.slice(0, 10);
      return value.length === 10 ? `${value}T00:00:00.000` : value;
    }
    case 'boolean':
      return readBoolean(bare, reading.booleanPair);
  }
}

/** Whether a cell of a column of dates names a month alone; its value is the first day of it. */
export function lacksDay(text: string, { type }: ColumnReading): boolean {
  return (type === 'date' || type === 'datetime') && readDate(withoutValueMark(text))?.hasDay === false;
}

function longer(one: string | undefined, other: string): string {
  return one === undefined || other.length > one.length ? other : one;
}
