import type { XmlAttributes } from '../../xml/xml-reader.js';

/** White as `aarrggbb` or `rrggbb`, nearly white included. */
const NEARLY_WHITE = /^(?:[0-9a-f]{2})?f[c-f]f[c-f]f[c-f]$/i;
/** White among the colours that are named by number. */
const WHITE_INDEXES: ReadonlySet<string> = new Set(['1', '9']);
/** The ground of the theme, white unless someone made a dark one. */
const THEME_GROUND = '0';

/** Reads the fonts and fills of a workbook's styles, which come before the styles that name them. */
export class CellColours {
  /** By number: whether the text is white. */
  private readonly fonts: boolean[] = [];
  /** By number: whether the text is struck out. */
  private readonly strikes: boolean[] = [];
  /** By number: whether the ground is white. */
  private readonly fills: boolean[] = [];
  private part: 'font' | 'fill' | undefined;
  private list: 'fonts' | 'fills' | undefined;

  open(element: string, attributes: XmlAttributes): void {
    if (element === 'fonts' || element === 'fills') this.list = element;
    else if (element === 'font' && this.list === 'fonts') {
      this.begin('font', this.fonts, false);
      this.strikes.push(false);
    } else if (this.part === 'font' && element === 'strike') {
      this.strikes[this.strikes.length - 1] = !/^(?:0|false)$/.test(attributes['val'] ?? '');
    } else if (element === 'fill' && this.list === 'fills') this.begin('fill', this.fills, true);
    else if (this.part === 'font' && element === 'color') this.fonts[this.fonts.length - 1] = isWhite(attributes);
    else if (this.part === 'fill') this.takeFill(element, attributes);
  }

  close(element: string): void {
    if (element === this.list) this.list = undefined;
    else if (element === this.part) this.part = undefined;
  }

  /** Whether a style writes white on white. */
  isWhite({ fontId, fillId }: XmlAttributes): boolean {
    return this.fonts[Number(fontId ?? 0)] === true && this.fills[Number(fillId ?? 0)] !== false;
  }

  /** Whether a style strikes out. */
  isStruck({ fontId }: XmlAttributes): boolean {
    return this.strikes[Number(fontId ?? 0)] === true;
  }

  private begin(part: 'font' | 'fill', values: boolean[], value: boolean): void {
    this.part = part;
    values.push(value);
  }

  private takeFill(element: string, attributes: XmlAttributes): void {
    const last = this.fills.length - 1;
    if (element === 'patternFill') this.fills[last] = /^(?:none)?$/.test(attributes['patternType'] ?? '');
    else if (element === 'gradientFill') this.fills[last] = false;
    else if (element === 'fgColor') this.fills[last] ||= isWhite(attributes);
  }
}

function isWhite({ rgb, theme, indexed, tint }: XmlAttributes): boolean {
  if (rgb !== undefined) return NEARLY_WHITE.test(rgb);
  if (theme !== undefined) return theme === THEME_GROUND && Number(tint ?? 0) === 0;
  return indexed !== undefined && WHITE_INDEXES.has(indexed);
}
