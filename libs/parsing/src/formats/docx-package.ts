import { readEntry } from '../archive/archive-reader.js';

/**
 * The parts of a DOCX file as mammoth reads them, from the archive reader that also did the checks: a second ZIP library
 * could see other parts than the ones that were counted.
 */
export class DocxPackage {
  private readonly path: string;
  private readonly names: ReadonlySet<string>;
  private readonly maxPartBytes: number;

  constructor(path: string, names: ReadonlySet<string>, maxPartBytes: number) {
    this.path = path;
    this.names = names;
    this.maxPartBytes = maxPartBytes;
  }

  /** Whether there is a part of this name. */
  exists(name: string): boolean {
    return this.names.has(name);
  }

  /** A part as text, as base64 or as bytes. */
  async read(name: string, encoding?: string): Promise<string | Uint8Array> {
    const bytes = await readEntry(this.path, name, this.maxPartBytes);
    if (bytes === undefined) throw new Error(`the package has no part ${name}`);
    if (encoding === undefined) return bytes;
    if (encoding === 'base64') return bytes.toString('base64');
    const text = new TextDecoder(encoding).decode(bytes);
    return name.endsWith('.xml') ? unwrapRuby(text) : text;
  }
}

/** Word keeps text with a reading above it in an element that mammoth skips: the base text stays, the reading goes. */
export function unwrapRuby(xml: string): string {
  if (!xml.includes('<w:ruby>')) return xml;
  const base = withoutElement(withoutElement(xml, 'w:rt'), 'w:rubyPr');
  return base.replace(/<\/?w:ruby(?:Base)?>/g, '');
}

/** Cuts out all elements of a name that do not nest; linear, also where an end tag is missing. */
function withoutElement(xml: string, name: string): string {
  const kept: string[] = [];
  const close = `</${name}>`;
  let at = 0;
  for (let open = xml.indexOf(`<${name}>`); open >= 0; open = xml.indexOf(`<${name}>`, at)) {
    const end = xml.indexOf(close, open);
    if (end < 0) break;
    kept.push(xml.slice(at, open));
    at = end + close.length;
  }
  kept.push(xml.slice(at));
  return kept.join('');
}
