import type { UnseenLook } from '../output/unseen-text.js';
import { attribute, isElement, isSkipped, textOf, type HtmlElement, type HtmlNode } from './html-elements.js';
import { blocksOf } from './style-sheet.js';

/** Red, green, blue and how opaque; null where it cannot be known. */
type Colour = readonly [red: number, green: number, blue: number, alpha: number] | null;

/** How the text of an element looks, as far as its own styles and those around it say. */
export interface TextLook {
  /** Undefined: as the page has it. */
  readonly colour?: Colour;
  readonly ground: Colour;
  readonly isTiny: boolean;
  readonly isInvisible: boolean;
  /** Whatever is inside of it stays invisible. */
  readonly isTransparent: boolean;
}

export const PLAIN_LOOK: TextLook = {
  ground: [255, 255, 255, 1],
  isTiny: false,
  isInvisible: false,
  isTransparent: false,
};

const MOST_RULES = 2_000;
/** Shades that differ by less are one to the eye. */
const SAME_SHADE = 12;
const TINY_PIXELS = 1.5;
const TINY_SHARE = 0.1;
const FAINT = 0.05;
const NAMED: Readonly<Record<string, Colour>> = {
  white: [255, 255, 255, 1],
  black: [0, 0, 0, 1],
  transparent: [0, 0, 0, 0],
  snow: [255, 250, 250, 1],
  ivory: [255, 255, 240, 1],
};
const SIMPLE_SELECTOR = /^([a-z][a-z0-9]*)?([.#][\w-]+)?$/i;

/** Why a text of this look is not seen; undefined: it is. */
export function unseenLook({ colour, ground, isTiny, isInvisible, isTransparent }: TextLook): UnseenLook | undefined {
  if (isInvisible || isTransparent) return 'unseen_style';
  if (isTiny) return 'unseen_size';
  if (colour === undefined || colour === null) return undefined;
  if (colour[3] < FAINT) return 'unseen_style';
  return ground !== null && isSame(colour, ground) ? 'unseen_colour' : undefined;
}

/** The rules of a document that are for one kind of element, one class or one id; others are passed over. */
export class StyleRules {
  private readonly rules = new Map<string, string>();

  static of(css: string): StyleRules {
    const rules = new StyleRules();
    rules.read(css);
    return rules;
  }

  /** How the text of an element looks inside of something that looks like `outer`. */
  lookOf(element: HtmlElement, outer: TextLook): TextLook {
    const names = ['', ...(attribute(element, 'class') ?? '').split(/\s+/).map((name) => `.${name}`)];
    const id = attribute(element, 'id');
    if (id !== undefined) names.push(`#${id}`);
    const declared = names.flatMap((name) => [
      this.rules.get(name) ?? '',
      this.rules.get(`${element.tagName}${name}`) ?? '',
    ]);
    const style = [attributesAsStyle(element), ...declared, attribute(element, 'style') ?? '']
      .filter(Boolean)
      .join(';');
    return style === '' ? outer : changed(outer, style);
  }

  /** What of an element's text is not seen, piece by piece; without that of tables in it. */
  unseenIn(element: HtmlElement, outer: TextLook): { readonly text: string; readonly look: UnseenLook }[] {
    const found: { readonly text: string; readonly look: UnseenLook }[] = [];
    const stack: { readonly node: HtmlNode; readonly around: TextLook }[] = [{ node: element, around: outer }];
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      const { node, around } = at;
      const look = unseenLook(around);
      const text = textOf(node);
      if (text !== undefined && look !== undefined) found.push({ text, look });
      if (!isElement(node) || isSkipped(node) || (node.tagName === 'table' && node !== element)) continue;
      const inner = this.lookOf(node, around);
      for (const child of node.childNodes.toReversed()) stack.push({ node: child, around: inner });
    }
    return found;
  }

  private read(css: string): void {
    for (const { selectors, body, counts } of blocksOf(css)) {
      if (counts !== 'surely') continue;
      for (const selector of selectors.split(',')) {
        const name = selector.trim().toLowerCase();
        if (name === '' || !SIMPLE_SELECTOR.test(name) || this.rules.size >= MOST_RULES) continue;
        this.rules.set(name, `${this.rules.get(name) ?? ''};${body}`);
      }
    }
  }
}

/** What old pages say without a style. */
function attributesAsStyle(element: HtmlElement): string {
  const ground = attribute(element, 'bgcolor');
  const colour = element.tagName === 'font' ? attribute(element, 'color') : undefined;
  return `${ground === undefined ? '' : `background-color:${ground};`}${colour === undefined ? '' : `color:${colour}`}`;
}

function changed(outer: TextLook, style: string): TextLook {
  const look: { -readonly [Key in keyof TextLook]: TextLook[Key] } = { ...outer };
  for (const declaration of style.split(';')) {
    const colon = declaration.indexOf(':');
    const name = declaration.slice(0, colon).trim().toLowerCase();
    const value = declaration
      .slice(colon + 1)
      .replace(/!\s*important/i, '')
      .trim()
      .toLowerCase();
    if (colon < 0 || value === '' || value === 'inherit') continue;
    if (name === 'color') look.colour = readColour(value);
    else if (name === 'background-color' || name === 'background') look.ground = groundOf(value, outer.ground);
    else if (name === 'background-image' && value !== 'none') look.ground = null;
    else if (name === 'font-size') look.isTiny = isTinySize(value, outer.isTiny);
    else if (name === 'visibility') look.isInvisible = value === 'hidden' || value === 'collapse';
    else if (name === 'opacity') look.isTransparent ||= Number.parseFloat(value) < FAINT;
  }
  return look;
}

function groundOf(value: string, outer: Colour): Colour {
  const [first = ''] = value.split(/\s+(?![^(]*\))/);
  if (first === 'none') return outer;
  const colour = readColour(first);
  return colour !== null && colour[3] < FAINT ? outer : colour;
}

function readColour(value: string): Colour {
  const hex = /^#([0-9a-f]{3,8})$/.exec(value)?.[1];
  if (hex !== undefined) return ofHex(hex);
  const parts = /^rgba?\(([^()]{1,60})\)$/.exec(value)?.[1];
  if (parts === undefined) return NAMED[value] ?? null;
  const [red, green, blue, alpha = 1] = parts
    .split(/[\s,/]+/)
    .filter(Boolean)
    .map(numberOf);
  return [red, green, blue, alpha].every(Number.isFinite) ? [red!, green!, blue!, alpha] : null;
}

function ofHex(hex: string): Colour {
  const long = hex.length <= 4 ? [...hex].map((digit) => digit + digit).join('') : hex;
  const of = (at: number): number => Number.parseInt(long.slice(at, at + 2), 16);
  return long.length === 6 || long.length === 8 ? [of(0), of(2), of(4), long.length === 8 ? of(6) / 255 : 1] : null;
}

function numberOf(part: string): number {
  const value = Number.parseFloat(part);
  return part.endsWith('%') ? value * 2.55 : value;
}

function isTinySize(value: string, outer: boolean): boolean {
  const [, number, unit = ''] = /^([\d.]+)(px|pt|em|rem|%|)$/.exec(value) ?? [];
  const size = Number.parseFloat(number ?? 'NaN');
  if (!Number.isFinite(size)) return false;
  if (unit === 'em' || unit === '%') return outer || size / (unit === '%' ? 100 : 1) < TINY_SHARE;
  return unit === 'rem' ? size < TINY_SHARE : size < TINY_PIXELS;
}

function isSame(one: NonNullable<Colour>, other: NonNullable<Colour>): boolean {
  return [0, 1, 2].every((at) => Math.abs(one[at]! - other[at]!) <= SAME_SHADE);
}
