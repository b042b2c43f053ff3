import type { UnseenLook } from '../../output/unseen-text.js';
import type { XmlAttributes } from '../../xml/xml-reader.js';

/** Characters that an element represents. */
const CHARACTERS: Readonly<Record<string, string>> = {
  'w:tab': '\t',
  'w:ptab': '\t',
  'w:br': '\n',
  'w:cr': '\n',
  'w:noBreakHyphen': '-',
  'm:den': '/',
  'm:sup': '^',
  'm:sub': '_',
};
/** Marks of the fonts that Word takes its check boxes from. */
const DINGBATS: Readonly<Record<string, string>> = { F0FC: '✓', F0FE: '☑', F0FD: '☒', F0A8: '☐', F06F: '☐' };
const STRIKES = new Set(['w:strike', 'w:dstrike']);
const LOOKS = new Set(['w:color', 'w:sz', 'w:shd', 'w:highlight']);
const NEARLY_WHITE = /^f[c-f]f[c-f]f[c-f]$/i;
/** One point and less cannot be read. */
const TINY_HALF_POINTS = 2;
const TEXT_ELEMENTS = new Set(['w:t', 'm:t']);

/** Gathers the visible text of one paragraph. Fields may span paragraphs, so their stack is handed in. */
export class RunText {
  hiddenCharacters = 0;
  /** Characters that are struck out, and not in the text. */
  struckCharacters = 0;
  /** What is in the text and not seen on the page, in order. */
  readonly unseen: { text: string; look: UnseenLook }[] = [];
  private readonly fields: ('code' | 'result')[];
  private readonly parts: string[] = [];
  private isText = false;
  private isInRun = false;
  private isHidden = false;
  private isWhite = false;
  private isTiny = false;
  /** Whether the paragraph, or what it is in, may be coloured. */
  private isOnColour: boolean;
  private isRunOnColour = false;
  private isStruck = false;
  /** Whether a style strikes out. */
  private readonly isStruckByStyle: (style: string | undefined) => boolean;
  private paragraphStyle: string | undefined;

  constructor(
    fields: ('code' | 'result')[],
    isOnColour = false,
    isStruckByStyle: (style: string | undefined) => boolean = () => false,
  ) {
    this.fields = fields;
    this.isStruckByStyle = isStruckByStyle;
    this.isOnColour = isOnColour;
  }

  open(name: string, attributes: XmlAttributes): void {
    if (TEXT_ELEMENTS.has(name)) this.isText = true;
    else if (name === 'w:r') this.beginRun();
    else if (name === 'w:vanish') this.isHidden = this.isInRun && isOn(attributes['w:val']);
    else if (STRIKES.has(name)) this.isStruck = this.isInRun && isOn(attributes['w:val']);
    else if (name === 'w:rStyle') this.isStruck ||= this.isInRun && this.isStruckByStyle(attributes['w:val']);
    else if (name === 'w:pStyle') this.paragraphStyle = attributes['w:val'];
    else if (LOOKS.has(name)) this.takeLook(name, attributes);
    else if (name === 'w:fldChar') this.turnField(attributes['w:fldCharType']);
    else if (name === 'w:sym') this.add(symbol(attributes['w:char']));
    else if (this.isInRun || name.startsWith('m:')) this.add(CHARACTERS[name] ?? '');
  }

  close(name: string): void {
    if (TEXT_ELEMENTS.has(name)) this.isText = false;
    else if (name === 'w:r') this.isInRun = false;
  }

  text(text: string): void {
    if (this.isText) this.add(text);
  }

  /** The paragraph's text; a field whose code never ended does not swallow the paragraphs after it. */
  finish(): string {
    this.fields.forEach((state, index) => {
      if (state === 'code') this.fields[index] = 'result';
    });
    return this.parts.join('');
  }

  private beginRun(): void {
    this.isInRun = true;
    this.isHidden = false;
    this.isStruck = this.isStruckByStyle(this.paragraphStyle);
    this.isWhite = false;
    this.isTiny = false;
    this.isRunOnColour = false;
  }

  private takeLook(name: string, attributes: XmlAttributes): void {
    const value = attributes['w:val'] ?? '';
    if (name === 'w:shd' || name === 'w:highlight') {
      const isPlain = /^(?:auto|none|f[c-f]f[c-f]f[c-f]|white|)$/i.test(
        (name === 'w:shd' ? attributes['w:fill'] : value) ?? '',
      );
      if (this.isInRun) this.isRunOnColour = !isPlain;
      else this.isOnColour ||= !isPlain;
    } else if (this.isInRun && name === 'w:color') this.isWhite = NEARLY_WHITE.test(value);
    else if (this.isInRun && name === 'w:sz') this.isTiny = Number(value) <= TINY_HALF_POINTS;
  }

  private get look(): UnseenLook | undefined {
    if (this.isTiny) return 'unseen_size';
    return this.isWhite && !this.isOnColour && !this.isRunOnColour ? 'unseen_colour' : undefined;
  }

  private add(text: string): void {
    if (text === '' || this.fields.includes('code')) return;
    if (this.isHidden) this.hiddenCharacters += text.length;
    else if (this.isStruck) this.struckCharacters += text.length;
    else {
      this.parts.push(text);
      const { look } = this;
      if (look !== undefined) this.unseen.push({ text, look });
    }
  }

  private turnField(type: string | undefined): void {
    if (type === 'begin') this.fields.push('code');
    else if (type === 'separate' && this.fields.length > 0) this.fields[this.fields.length - 1] = 'result';
    else if (type === 'end') this.fields.pop();
  }
}

/** The value of a switch: present means on. */
export function isOn(value: string | undefined): boolean {
  return value === undefined || !['0', 'false', 'off', 'none'].includes(value);
}

function symbol(code: string | undefined): string {
  const upper = code?.toUpperCase() ?? '';
  if (DINGBATS[upper] !== undefined) return DINGBATS[upper];
  const value = Number.parseInt(upper, 16);
  // Symbol fonts lie in the private use area: what they show cannot be known from the code.
  return Number.isInteger(value) && value > 0x20 && value < 0xe000 ? String.fromCharCode(value).toWellFormed() : '';
}
