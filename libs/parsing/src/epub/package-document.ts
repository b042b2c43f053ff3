import { posix } from 'node:path';
import { readXml } from '../xml/xml-reader.js';

/** What the package document of an EPUB says. */
export interface EpubPackage {
  title?: string;
  language?: string;
  /** Paths in the archive of the content documents, in reading order; tables of contents are left out. */
  spine: string[];
}

interface Item {
  href: string;
  mediaType: string;
  properties: string[];
}

const CONTENT_TYPES: ReadonlySet<string> = new Set(['application/xhtml+xml', 'text/html', 'text/x-oeb1-document']);

/** Path of the package document by `META-INF/container.xml`. */
export async function readContainer(pieces: AsyncIterable<Buffer>): Promise<string | undefined> {
  let path: string | undefined;
  await readXml(
    pieces,
    {
      open(name, attributes) {
        if (localName(name) === 'rootfile') path ??= attributes['full-path'];
      },
    },
    { what: 'The container of the EPUB' },
  );
  return path;
}

/** Reads the package document at `path`. Throws `MALFORMED`. */
export async function readPackage(pieces: AsyncIterable<Buffer>, path: string): Promise<EpubPackage> {
  const items = new Map<string, Item>();
  const order: string[] = [];
  const contents = new Set<string>();
  const metadata: Record<string, string> = {};
  let field: string | undefined;
  await readXml(
    pieces,
    {
      open(raw, attributes) {
        const name = localName(raw);
        field = (name === 'title' || name === 'language') && metadata[name] === undefined ? name : undefined;
        if (name === 'item' && attributes['id'] !== undefined) items.set(attributes['id'], itemOf(attributes, path));
        if (name === 'itemref' && attributes['idref'] !== undefined) order.push(attributes['idref']);
        if (name === 'reference' && attributes['type'] === 'toc') contents.add(resolve(path, attributes['href'] ?? ''));
      },
      close() {
        field = undefined;
      },
      text(text) {
        if (field !== undefined) metadata[field] = `${metadata[field] ?? ''}${text}`;
      },
    },
    { what: 'The package document of the EPUB' },
  );
  const spine = order.flatMap((id) => {
    const item = items.get(id);
    const isContent = item !== undefined && CONTENT_TYPES.has(item.mediaType) && !item.properties.includes('nav');
    return isContent && !contents.has(item.href) ? [item.href] : [];
  });
  return { title: oneLine(metadata['title']), language: oneLine(metadata['language']), spine: [...new Set(spine)] };
}

/**
 * Paths of the parts that are encrypted, by `META-INF/encryption.xml`. Obfuscated fonts are listed there too, in books
 * that everybody can read.
 */
export async function readEncryptedPaths(pieces: AsyncIterable<Buffer>): Promise<Set<string>> {
  const paths = new Set<string>();
  await readXml(
    pieces,
    {
      open(name, attributes) {
        const uri = localName(name) === 'CipherReference' ? attributes['URI'] : undefined;
        if (uri !== undefined) paths.add(unescapePath(uri));
      },
    },
    { what: 'The list of encrypted parts of the EPUB' },
  );
  return paths;
}

function itemOf(attributes: Readonly<Record<string, string>>, path: string): Item {
  return {
    href: resolve(path, attributes['href'] ?? ''),
    mediaType: (attributes['media-type'] ?? '').toLowerCase(),
    properties: (attributes['properties'] ?? '').split(/\s+/),
  };
}

/** A reference in a document of the archive as a path of the archive. */
function resolve(from: string, href: string): string {
  return posix.join(posix.dirname(from), unescapePath(href.replace(/[#?].*$/s, '')));
}

function unescapePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch (error) {
    // A path with a bare percent sign is a path all the same.
    if (error instanceof URIError) return path;
    throw error;
  }
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

function oneLine(text: string | undefined): string | undefined {
  return text?.replace(/\s+/g, ' ').trim().slice(0, 300) || undefined;
}
