import { BooleanWords, readBoolean } from './boolean-cell.js';
import { isAbsent, isAbsentValue, withoutNoteMark, withoutValueMark } from './cell-text.js';
import type { CellValue, ColumnType } from './column-type.js';
import { isSameCurrency } from './currency-codes.js';
import { readDate, type DateOrder } from './date-cell.js';
import { isCurrency, readNumber, type NumberCell, sameUnit, unitKey, type NumberStyle } from './number-cell.js';

/** How the values of a column are read. */
export interface ColumnReading {
  readonly type: ColumnType;
  readonly unit: string | null;
  readonly numberStyle: NumberStyle;
  readonly dateOrder: DateOrder;
  readonly booleanPair: number | undefined;
  /** The order of days and months is by the language, since no value decides it. */
  readonly isOrderGuessed: boolean;
  /** Some values have no unit, and are read as of that of the others. */
  readonly lacksUnits: boolean;
  /** The values are numbers of several units, or some of a share in hundred and some not: they stay words. */
  readonly areUnitsMixed: boolean;
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
/** Numbers of a column whose unit is with the first of them alone, or with the first and the last: as bookkeepers write it. */
const UNIT_AT_ENDS_FROM = 4;
const PERCENT = /^(?:%|percent)$/iu;
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
  private readonly accounts = { point: 0, comma: 0 };
  private readonly units = new Map<string, { unit: string; count: number }>();
  /** Numbers with a unit, and of them, those that are neither the first nor the last so far. */
  private withUnit = 0;
  private inside = 0;
  private isLastWithUnit = false;
  private isFirstWithUnit = false;
  /** Numbers without a unit; nothing of any unit is 0. */
  private bare = 0;
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

  /** How the column is read; `forced` is a type that the policy names, `named` the unit in its label. */
  decide(habits: TableHabits, forced?: ColumnType, named?: string): ColumnReading {
    const reading: ColumnReading = {
      type: 'text',
      unit: null,
      numberStyle: this.numberStyle(habits),
      dateOrder: this.decidedOrder ?? habits.dateOrder ?? this.guessedOrder(habits),
      booleanPair: this.booleans.best?.pair,
      isOrderGuessed: false,
      lacksUnits: false,
      areUnitsMixed: false,
    };
    const type = forced ?? this.typeOf(reading.numberStyle, reading.dateOrder);
    if (type === 'integer' || type === 'number') {
      const unit = this.commonUnit;
      const isNamed = unit !== null && named !== undefined && areAlike(unit, named);
      if (forced === undefined && !this.mayShareUnit(named)) return { ...reading, areUnitsMixed: true };
      return { ...reading, type, unit: unit ?? named ?? null, lacksUnits: unit !== null && this.bare > 0 && !isNamed };
    }
    if (type === 'text' && this.isOfSeveralUnits(reading.numberStyle)) return { ...reading, areUnitsMixed: true };
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
    return (
      this.decidedStyle ??
      numberStyle ??
      this.accountedStyle ??
      (COMMA_LANGUAGES.has(language ?? '') ? 'comma' : 'point')
    );
  }

  /** The way of writing that amounts in brackets speak for. */
  private get accountedStyle(): NumberStyle | undefined {
    const { point, comma } = this.accounts;
    return point === comma ? undefined : point > comma ? 'point' : 'comma';
  }

  private guessedOrder({ language }: TableHabits): DateOrder {
    return (language === 'en' || language === null) && this.separators.has('/') ? 'month_first' : 'day_first';
  }

  private isOfSeveralUnits(numberStyle: NumberStyle): boolean {
    return !this.isText && !this.hasOneUnit && this.codes === 0 && this.fits(this.style[numberStyle]);
  }

  /**
   * Whether the numbers without a unit can be of that of the others: the label names it, it is at the ends alone, it is one of money, or most have
   * it. 12 beside 5 % may be of the whole or of a hundred: that is only believed of a stray.
   */
  private mayShareUnit(named: string | undefined): boolean {
    const unit = this.commonUnit;
    if (unit === null || this.bare === 0) return true;
    if (named !== undefined && areAlike(unit, named)) return true;
    // The label says another one than the cells that have one.
    if (named !== undefined && (isShare(unit) || isShare(named) || (isCurrency(unit) && isCurrency(named))))
      return false;
    const isAtEnds = this.isFirstWithUnit && this.inside === 0 && this.numbers >= UNIT_AT_ENDS_FROM;
    if (isAtEnds || isCurrency(unit)) return true;
    return isShare(unit) ? this.fits(this.values - this.bare) : this.withUnit >= this.bare;
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

  private addNumber(number: NumberCell): void {
    const { style } = this;
    this.numbers += 1;
    if (number.isCode) this.codes += 1;
    if (number.point !== undefined) style.point += 1;
    if (number.comma !== undefined) style.comma += 1;
    if (number.wholePoint) style.wholePoint += 1;
    if (number.wholeComma) style.wholeComma += 1;
    if (number.accounts !== undefined) this.accounts[number.accounts] += 1;
    if (number.decides === 'point') style.onlyPoint += 1;
    if (number.decides === 'comma') style.onlyComma += 1;
    this.addUnit(number);
    if (number.unit === '' || this.units.size > 8) return;
    const key = unitKey(number.unit);
    const known = this.units.get(key);
    this.units.set(key, { unit: longer(known?.unit, number.unit), count: (known?.count ?? 0) + 1 });
  }

  private addUnit(number: NumberCell): void {
    if (number.unit === '') {
      if (!isNothing(number)) this.bare += 1;
      this.inside += this.isLastWithUnit && this.withUnit > 1 ? 1 : 0;
      this.isLastWithUnit = false;
      return;
    }
    if (this.numbers === 1) this.isFirstWithUnit = true;
    this.inside += this.isLastWithUnit && this.withUnit > 1 ? 1 : 0;
    this.withUnit += 1;
    this.isLastWithUnit = true;
  }
}

/** Whether a cell of a column with a unit is a number without one. */
export function lacksUnit(text: string, { lacksUnits }: ColumnReading): boolean {
  const number = lacksUnits ? readNumber(withoutValueMark(text)) : undefined;
  return number !== undefined && number.unit === '' && !isNothing(number);
}

/** `%` and what else is of a hundred or a thousand. */
function isShare(unit: string): boolean {
  return unit === '\u2030' || PERCENT.test(unit);
}

function areAlike(unit: string, named: string): boolean {
  if (sameUnit(unit, named)) return true;
  if (isCurrency(unit) && isCurrency(named)) return isSameCurrency(unit, named);
  return PERCENT.test(unit) && PERCENT.test(named);
}

/** Nothing of any unit is 0. */
function isNothing({ point, comma }: NumberCell): boolean {
  return point === 0 || comma === 0;
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

/** Whether the cells of a column, trimmed, are values of a type other than text. */
export function isTypedColumn(cells: readonly string[]): boolean {
  const evidence = new ColumnEvidence();
  for (const cell of cells) evidence.add(cell);
  return evidence.isTyped;
}
