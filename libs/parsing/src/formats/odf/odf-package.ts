import { readEntry } from '../../archive/archive-reader.js';
import { ArchiveParts } from '../../archive/archive-parts.js';
import { ParseError } from '../../parse-error.js';
import { readXml, type XmlHandler } from '../../xml/xml-reader.js';

const MAX_MANIFEST_BYTES = 4 * 1024 * 1024;
const BASE = 'urn:oasis:names:tc:opendocument:xmlns:';
const PREFIXES = 'office text table draw presentation style meta manifest form chart'.split(' ');

/** The prefixes under which readers of OpenDocument know their names. */
export const ODF_NAMESPACES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(PREFIXES.map((prefix) => [`${BASE}${prefix}:1.0`, prefix])),
  [`${BASE}svg-compatible:1.0`]: 'svg',
  'http://purl.org/dc/elements/1.1/': 'dc',
};

/** An OpenDocument file. */
export class OdfPackage {
  private readonly parts: ArchiveParts;

  private constructor(parts: ArchiveParts) {
    this.parts = parts;
  }

  /** Checks and opens a file. Throws `ENCRYPTED`, `MALFORMED` and `ARCHIVE_LIMIT`. */
  static async open(path: string, sizeBytes: number): Promise<OdfPackage> {
    // Before the other checks: the checksums of encrypted parts are not those of what is stored.
    const manifest = await readEntry(path, 'META-INF/manifest.xml', MAX_MANIFEST_BYTES);
    if (manifest?.includes('encryption-data') === true) {
      throw new ParseError('ENCRYPTED', 'The file is protected by a password; remove it and upload the file again.');
    }
    const parts = await ArchiveParts.open(path, sizeBytes);
    if (parts.has('content.xml')) return new OdfPackage(parts);
    parts.close();
    throw new ParseError('MALFORMED', 'The file has no content.xml; save it again in the program that it comes from.');
  }

  /** Reads a part with the usual prefixes; does nothing when it does not exist. */
  async read(name: string, handler: XmlHandler): Promise<void> {
    if (!this.parts.has(name)) return;
    await readXml(this.parts.stream(name), handler, { namespaces: ODF_NAMESPACES, what: `The part ${name}` });
  }

  /** Folders of objects within the document. */
  objects(): string[] {
    return [...this.parts.names].flatMap((name) => /^(Object \d+)\/content\.xml$/.exec(name)?.[1] ?? []);
  }

  /** The title in the properties of the document. */
  async title(): Promise<string | undefined> {
    let title = '';
    let isInside = false;
    await this.read('meta.xml', {
      open: (name) => (isInside = name === 'dc:title'),
      close: () => (isInside = false),
      text: (text) => (title += isInside ? text : ''),
    });
    return title.replace(/\s+/g, ' ').trim().slice(0, 500) || undefined;
  }

  close(): void {
    this.parts.close();
  }
}
