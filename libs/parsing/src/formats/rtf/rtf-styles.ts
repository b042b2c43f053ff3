import type { RtfStyle } from './rtf-state.js';

/** The styles of a file, read from the definitions at its beginning. */
export class RtfStyles {
  /** Font of text that names none. */
  defaultFont: number | undefined;
  private readonly styles = new Map<number, RtfStyle>();
  private number = 0;
  private outlineLevel: number | undefined;
  private name = '';

  /** A control word inside of the definitions. */
  word(name: string, parameter: number | undefined): void {
    if (name === 's') this.number = parameter ?? 0;
    else if (name === 'outlinelevel') this.outlineLevel = parameter;
  }

  /** The name of a style ends with a semicolon. */
  text(text: string): void {
    this.name += text;
    if (!this.name.includes(';')) return;
    const name = this.name.split(';')[0]!.trim().toLowerCase();
    this.styles.set(this.number, { name, outlineLevel: this.outlineLevel });
    this.number = 0;
    this.outlineLevel = undefined;
    this.name = '';
  }

  /** Level of a heading, 1–6, by the paragraph's own outline level or its style. */
  headingLevel(style: number | undefined, outlineLevel: number | undefined): number | undefined {
    const own = outlineLevel ?? this.levelOfStyle(style);
    return own !== undefined && own >= 0 && own <= 8 ? Math.min(own + 1, 6) : undefined;
  }

  private levelOfStyle(number: number | undefined): number | undefined {
    const style = number === undefined ? undefined : this.styles.get(number);
    if (style === undefined) return undefined;
    const named = /^heading ?([1-9])$/.exec(style.name)?.[1];
    if (named !== undefined) return Number(named) - 1;
    if (style.name === 'title') return 0;
    return style.name === 'subtitle' ? 1 : style.outlineLevel;
  }
}
