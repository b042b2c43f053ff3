import { ArchiveParts } from '../../archive/archive-parts.js';
import { ParseError } from '../../parse-error.js';
import { readXml, type XmlHandler } from '../../xml/xml-reader.js';
import { OOXML_NAMESPACES } from './ooxml-namespaces.js';

/** A relationship of a part. */
export interface Relation {
  id: string;
  /** Last segment of the type's URI, for instance `slide` or `comments`. */
  type: string;
  /** Name of the part that it leads to; undefined when it leads out of the file. */
  target?: string;
}

/** An Office Open XML file: parts, and the relations between them. Nothing outside of the file is ever followed. */
export class OoxmlPackage {
  private readonly parts: ArchiveParts;
  private lowerNames: ReadonlyMap<string, string> | undefined;

  private constructor(parts: ArchiveParts) {
    this.parts = parts;
  }

  /** Checks and opens a file. Throws `ARCHIVE_LIMIT`, `MALFORMED` and `ENCRYPTED`. */
  static async open(path: string, sizeBytes: number): Promise<OoxmlPackage> {
    return new OoxmlPackage(await ArchiveParts.open(path, sizeBytes));
  }

  has(name: string): boolean {
    return this.parts.has(name);
  }

  /** Number of parts whose name passes. */
  count(passes: (name: string) => boolean): number {
    let count = 0;
    for (const name of this.parts.names) if (passes(name)) count += 1;
    return count;
  }

  /** The bytes of a part; nothing when it does not exist. */
  stream(name: string): AsyncGenerator<Buffer> {
    return this.parts.stream(name);
  }

  /** Reads a part with names as in `OOXML_NAMESPACES`; does nothing when it does not exist. Throws `MALFORMED`. */
  async read(name: string | undefined, handler: XmlHandler): Promise<void> {
    if (name === undefined || !this.parts.has(name)) return;
    await readXml(this.parts.stream(name), handler, { namespaces: OOXML_NAMESPACES, what: `The part ${name}` });
  }

  /** The relations of a part by id, in the order of the file; `''` for those of the package. */
  async relations(name: string): Promise<ReadonlyMap<string, Relation>> {
    const slash = name.lastIndexOf('/') + 1;
    const folder = name.slice(0, slash);
    const relations = new Map<string, Relation>();
    await this.read(`${folder}_rels/${name.slice(slash)}.rels`, {
      open: (element, { Id, Type = '', Target = '', TargetMode }) => {
        if (element !== 'Relationship' || Id === undefined) return;
        const type = Type.slice(Type.lastIndexOf('/') + 1);
        const target = TargetMode === 'External' ? undefined : this.resolve(folder, Target);
        relations.set(Id, { id: Id, type, target });
      },
    });
    return relations;
  }

  /** The part that the package is about: by its relation, else the usual name. Throws `MALFORMED`. */
  async mainPart(usual: string): Promise<string> {
    for (const { type, target } of (await this.relations('')).values()) {
      if (type === 'officeDocument' && target !== undefined && this.has(target)) return target;
    }
    if (this.has(usual)) return usual;
    throw new ParseError('MALFORMED', `The file has no ${usual}; save it again in the program that it comes from.`);
  }

  /** The title in the properties of the document. */
  async title(): Promise<string | undefined> {
    return (await this.property('dc:title')).slice(0, 500) || undefined;
  }

  /** The language that the file names for all of it, as `de-DE`. */
  async language(): Promise<string | undefined> {
    return (await this.property('dc:language')).slice(0, 35) || undefined;
  }

  private async property(element: string): Promise<string> {
    let value = '';
    let isInside = false;
    await this.read('docProps/core.xml', {
      open: (name) => (isInside = name === element),
      close: () => (isInside = false),
      text: (text) => (value += isInside ? text : ''),
    });
    return value.replace(/\s+/g, ' ').trim();
  }

  close(): void {
    this.parts.close();
  }

  /** Part names are compared without regard to case; targets are often written with escapes. */
  private resolve(folder: string, target: string): string | undefined {
    const path = target.startsWith('/') ? target.slice(1) : folder + target;
    const segments: string[] = [];
    for (const segment of path.split('/')) {
      if (segment === '..') segments.pop();
      else if (segment !== '.' && segment !== '') segments.push(segment);
    }
    const name = segments.join('/');
    if (this.parts.has(name)) return name;
    this.lowerNames ??= new Map([...this.parts.names].map((candidate) => [candidate.toLowerCase(), candidate]));
    return this.lowerNames.get(unescapeUri(name).toLowerCase());
  }
}

function unescapeUri(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return text;
    throw error;
  }
}
