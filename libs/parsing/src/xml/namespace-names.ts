/** Namespace URI to the prefix that a reader knows it by. */
export type Namespaces = Readonly<Record<string, string>>;

/** Prefix in the document to the prefix of the reader, where they differ. */
type Renaming = ReadonlyMap<string, string>;

const NOTHING: Renaming = new Map();

/**
 * Gives names the prefixes that a reader expects, whatever prefixes a document chose. Most documents choose the usual
 * ones: then nothing is renamed and nothing is copied.
 */
export class NamespaceNames {
  private readonly namespaces: Namespaces;
  private renaming: Renaming = NOTHING;
  /** Renaming outside of each open element; the same object again and again where nothing was declared. */
  private readonly outer: Renaming[] = [];

  constructor(namespaces: Namespaces) {
    this.namespaces = namespaces;
  }

  /** Takes the declarations of an element that begins; answers its attributes under the reader's names. */
  enter(attributes: Record<string, string>): Readonly<Record<string, string>> {
    this.outer.push(this.renaming);
    for (const name in attributes) {
      if (name.startsWith('xmlns')) this.note(name, attributes[name]!);
    }
    if (this.renaming.size === 0) return attributes;
    const renamed: Record<string, string> = {};
    for (const name in attributes) renamed[this.attributeName(name)] = attributes[name]!;
    return renamed;
  }

  /** Forgets the declarations of the innermost open element. */
  leave(): void {
    this.renaming = this.outer.pop() ?? NOTHING;
  }

  /** An element's name as the reader knows it. */
  nameOf(raw: string): string {
    if (this.renaming.size === 0) return raw;
    const colon = raw.indexOf(':');
    const prefix = this.renaming.get(colon < 0 ? '' : raw.slice(0, colon));
    return prefix === undefined ? raw : join(prefix, raw.slice(colon + 1));
  }

  /** Attributes without a prefix belong to no namespace. */
  private attributeName(raw: string): string {
    const colon = raw.indexOf(':');
    if (colon < 0) return raw;
    const prefix = this.renaming.get(raw.slice(0, colon));
    return prefix === undefined ? raw : join(prefix, raw.slice(colon + 1));
  }

  private note(name: string, uri: string): void {
    if (name !== 'xmlns' && name[5] !== ':') return;
    const prefix = name.slice(6);
    const wanted = Object.hasOwn(this.namespaces, uri) ? this.namespaces[uri]! : prefix;
    if ((this.renaming.get(prefix) ?? prefix) === wanted) return;
    const renaming = new Map(this.renaming);
    if (wanted === prefix) renaming.delete(prefix);
    else renaming.set(prefix, wanted);
    this.renaming = renaming;
  }
}

function join(prefix: string, local: string): string {
  return prefix === '' ? local : `${prefix}:${local}`;
}
