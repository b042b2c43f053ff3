import { builtinFormat } from '../../sheets/builtin-formats.js';
import { compileNumberFormat, formatGeneral, type NumberFormatter } from '../../sheets/number-format.js';
import { notationOf, POINT_NOTATION, type NumberNotation } from '../../sheets/number-notation.js';
import type { OoxmlPackage } from '../ooxml/ooxml-package.js';
import { CellColours } from './cell-colours.js';

/** The number formats of a workbook's cell styles. */
export class CellFormats {
  private readonly formats: readonly number[];
  private readonly whites: ReadonlySet<number>;
  private readonly struck: ReadonlySet<number>;
  private readonly custom: ReadonlyMap<number, string>;
  private readonly date1904: boolean;
  private notation: NumberNotation = POINT_NOTATION;
  private readonly formatters = new Map<number, NumberFormatter>();

  private constructor(
    formats: readonly number[],
    whites: ReadonlySet<number>,
    struck: ReadonlySet<number>,
    custom: ReadonlyMap<number, string>,
    date1904: boolean,
  ) {
    this.formats = formats;
    this.whites = whites;
    this.struck = struck;
    this.custom = custom;
    this.date1904 = date1904;
  }

  /** Reads the part with the styles. */
  static async read(parts: OoxmlPackage, name: string | undefined, date1904: boolean): Promise<CellFormats> {
    const formats: number[] = [];
    const custom = new Map<number, string>();
    const whites = new Set<number>();
    const struck = new Set<number>();
    let isInCellStyles = false;
    const colours = new CellColours();
    await parts.read(name, {
      open: (element, attributes) => {
        const { numFmtId, formatCode } = attributes;
        colours.open(element, attributes);
        if (element === 'cellXfs') isInCellStyles = true;
        else if (element === 'xf' && isInCellStyles) {
          const showsNothing = /^;;;?$/.test(custom.get(Number(numFmtId ?? 0)) ?? '');
          if (showsNothing || colours.isWhite(attributes)) whites.add(formats.length);
          if (colours.isStruck(attributes)) struck.add(formats.length);
          formats.push(Number(numFmtId ?? 0));
        } else if (element === 'numFmt' && formatCode !== undefined) custom.set(Number(numFmtId), formatCode);
      },
      close: (element) => {
        colours.close(element);
        if (element === 'cellXfs') isInCellStyles = false;
      },
    });
    return new CellFormats(formats, whites, struck, custom, date1904);
  }

  /** Decides how numbers are written, by the language that the file names and some of its words; before the first one is shown. */
  takeLanguage(language: string | undefined, sample: string): void {
    this.notation = notationOf({ language, formats: this.custom.values(), sample });
  }

  /** Whether a cell of this style has white text on a white ground, or a format that shows nothing. */
  isInGroundColour(style: number): boolean {
    return this.whites.has(style);
  }

  /** Whether a cell of this style has its text struck out. */
  isStruck(style: number): boolean {
    return this.struck.has(style);
  }

  /** The text of a number in a cell of this style; what is no number stays as it is. */
  show(raw: string, style: number): string {
    const formatter = this.formatterOf(style);
    // As it is kept: every digit may count, of a card say.
    if (formatter === undefined && /^-?(?:0|[1-9]\d{0,18})$/.test(raw)) return raw;
    const value = Number(raw);
    if (raw.trim() === '' || Number.isNaN(value)) return raw;
    return formatter === undefined ? formatGeneral(value, this.notation) : formatter(value);
  }

  /** Undefined for a number without a format. */
  private formatterOf(style: number): NumberFormatter | undefined {
    const id = this.formats[style] ?? 0;
    const format = this.custom.get(id) ?? builtinFormat(id);
    if (format === undefined || /^general$/i.test(format) || format === '@') return undefined;
    let formatter = this.formatters.get(style);
    if (formatter === undefined) {
      formatter = compileNumberFormat(format, { date1904: this.date1904, notation: this.notation });
      this.formatters.set(style, formatter);
    }
    return formatter;
  }
}
