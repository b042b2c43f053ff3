import { SaxesParser } from 'saxes';
import { ParseError } from '../parse-error.js';
import { decodeXml } from './decode-xml.js';
import { NamespaceNames, type Namespaces } from './namespace-names.js';

/** Attributes of an element: names as written, with the prefixes of `XmlOptions.namespaces`. */
export type XmlAttributes = Readonly<Record<string, string>>;

/** What a reader does with the stream. Text comes in one call per stretch between two tags; CDATA is text. */
export interface XmlHandler {
  open(name: string, attributes: XmlAttributes): void;
  close?(name: string): void;
  text?(text: string): void;
}

export interface XmlOptions {
  /** Namespace URI to the prefix under which the handler wants to see its names; `''` for none. Others stay as written. */
  namespaces?: Namespaces;
  /** Named entities beyond the five of XML, for instance those of HTML. Declarations in the document are never expanded. */
  entities?: Readonly<Record<string, string>>;
  /** Deepest nesting of elements; default 512. */
  maxDepth?: number;
  /** What the document is called in the detail of an error. */
  what?: string;
}

const DEFAULT_MAX_DEPTH = 512;

/** Flaws that no reader of documents stumbles over: the characters stay as they are. Everything else is `MALFORMED`. */
const FORGIVEN = [
  'disallowed character.',
  'disallowed character in entity name.',
  'undefined entity.',
  'malformed character entity.',
  'the string "]]>" is disallowed in char data.',
  'duplicate attribute: ',
  'text data outside of root node.',
  'an XML declaration must be at the start of the document.',
];

/**
 * Reads XML as a stream of events; memory does not depend on the document's length. Bytes are decoded by mark and
 * declaration, strings are taken as they are. No external entity is ever fetched and no declared one expanded: an
 * unknown `&name;` stays in the text. Throws `MALFORMED` for broken or too deeply nested XML, and what a handler throws.
 */
export async function readXml(
  pieces: AsyncIterable<Buffer | string>,
  handler: XmlHandler,
  options: XmlOptions = {},
): Promise<void> {
  const parser = createParser(handler, options);
  for await (const piece of decodeXml(pieces)) parser.write(piece);
  parser.close();
}

function createParser(handler: XmlHandler, options: XmlOptions): SaxesParser<Record<string, never>> {
  const maxDepth = options.maxDepth ?? DEFAULT_MAX_DEPTH;
  const names = new NamespaceNames(options.namespaces ?? {});
  const parser = new SaxesParser({ xmlns: false, position: false });
  if (options.entities !== undefined) Object.assign(parser.ENTITIES, options.entities);
  let depth = 0;
  parser.on('error', (error) => {
    if (!FORGIVEN.some((flaw) => error.message.startsWith(flaw))) throw broken(options.what, error);
  });
  parser.on('opentag', (tag) => {
    depth += 1;
    if (depth > maxDepth) throw tooDeep(options.what, maxDepth);
    const attributes = names.enter(tag.attributes);
    handler.open(names.nameOf(tag.name), attributes);
  });
  parser.on('closetag', (tag) => {
    handler.close?.(names.nameOf(tag.name));
    names.leave();
    depth -= 1;
  });
  if (handler.text !== undefined) {
    const take = (text: string): void => {
      if (depth > 0) handler.text?.(text);
    };
    parser.on('text', take);
    parser.on('cdata', take);
  }
  return parser;
}

function broken(what = 'The document', cause: unknown): ParseError {
  return new ParseError('MALFORMED', `${what} is damaged XML and cannot be read; save it again and upload that.`, {
    cause,
  });
}

function tooDeep(what = 'The document', maxDepth: number): ParseError {
  return new ParseError('MALFORMED', `${what} nests its elements more than ${maxDepth} levels deep; simplify it.`);
}
