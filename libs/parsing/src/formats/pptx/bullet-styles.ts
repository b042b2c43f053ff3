import type { XmlAttributes } from '../../xml/xml-reader.js';
import type { OoxmlPackage } from '../ooxml/ooxml-package.js';

/** What is before a paragraph. */
export type Bullet = { kind: 'none' } | { kind: 'mark' } | { kind: 'number'; scheme: string; start: number };

/** A place of a slide that its layout foresees. */
export interface Placeholder {
  type: string;
  index: string;
}

interface PlaceholderStyle extends Placeholder {
  levels: Map<number, Bullet>;
}

/** Bullets that a layout and its master give to the paragraphs of their placeholders. */
export interface BulletStyles {
  /** Of a level from 0; undefined when neither says anything. */
  bulletOf(placeholder: Placeholder, level: number): Bullet | undefined;
}

/** Reads what one part says; `outer` is asked for what it does not say. */
export async function readBulletStyles(parts: OoxmlPackage, name: string, outer?: BulletStyles): Promise<BulletStyles> {
  const styles: PlaceholderStyle[] = [];
  const body = new Map<number, Bullet>();
  let target: Map<number, Bullet> | undefined;
  let level = -1;
  await parts.read(name, {
    open: (element, attributes) => {
      if (element === 'p:bodyStyle') target = body;
      else if (element === 'p:ph') {
        const style = { ...placeholderOf(attributes), levels: new Map<number, Bullet>() };
        styles.push(style);
        target = style.levels;
      } else if (/^a:lvl[1-9]pPr$/.test(element)) level = Number(element[5]) - 1;
      else if (level >= 0) {
        const bullet = readBullet(element, attributes);
        if (bullet !== undefined) target?.set(level, bullet);
      }
    },
    close: (element) => {
      if (/^a:lvl[1-9]pPr$/.test(element)) level = -1;
      else if (element === 'p:sp' || element === 'p:bodyStyle') target = undefined;
    },
  });
  return {
    bulletOf(placeholder, at) {
      const own = styles.find((style) => isSamePlace(style, placeholder));
      const found = own?.levels.get(at) ?? outer?.bulletOf(own ?? placeholder, at);
      return found ?? (isBody(own ?? placeholder) ? body.get(at) : undefined);
    },
  };
}

/** The placeholder that a `p:ph` names; without a type it holds any content. */
export function placeholderOf(attributes: XmlAttributes): Placeholder {
  return { type: attributes['type'] ?? 'obj', index: attributes['idx'] ?? '0' };
}

/** The bullet that an element in a paragraph's properties sets. */
export function readBullet(element: string, attributes: XmlAttributes): Bullet | undefined {
  switch (element) {
    case 'a:buNone':
      return { kind: 'none' };
    case 'a:buChar':
    case 'a:buBlip':
      return { kind: 'mark' };
    case 'a:buAutoNum':
      return {
        kind: 'number',
        scheme: attributes['type'] ?? 'arabicPeriod',
        start: Number(attributes['startAt'] ?? 1) || 1,
      };
    default:
      return undefined;
  }
}

function isSamePlace(style: Placeholder, wanted: Placeholder): boolean {
  if (style.index !== '0' || wanted.index !== '0') return style.index === wanted.index;
  return style.type === wanted.type;
}

function isBody({ type }: Placeholder): boolean {
  return type === 'obj' || type === 'body' || type === 'subTitle';
}
