import { writeHeading } from '../output/append-parsed.js';
import type { ParseOutput } from '../output/parse-output.js';
import { writePlainLines } from '../output/plain-lines.js';
import { RecordTable, type FlatRecord } from '../tabular/record-table.js';
import { childNodes, createNode, isMixed, localName, textOf, type XmlNode } from './xml-node.js';
import type { XmlAttributes, XmlHandler } from './xml-reader.js';

/** A subtree beyond this is not held as a whole: its children are written as they come. */
const MAX_HELD_UNITS = 64 * 1024;
const TITLES = /^(?:title|heading|head|header|h[1-6]|headline|subject|chapter-?title|caption)$/i;
/** Elements whose name adds nothing to their text. */
const PLAIN =
  /^(?:p|para|simpara|paragraph|text|tspan|body|content|description|desc|abstract|summary|note|li|item|listitem|line|div|span|seg|s|q|quote|blockquote|value|string|entry|code|pre|programlisting)$/i;
/** Of these, names that fields of a record have, and those that they have when no other child is called so. */
const FIELDS = /^(?:desc|description|value|text|note|summary|code)$/i;
const ALONE_FIELDS = /^(?:item|line|entry|content)$/i;
const LIST_ITEMS = /^(?:li|item|listitem)$/i;
const CODE = /^(?:code|pre|programlisting|screen)$/i;
const MAX_TITLE_UNITS = 300;
/** Parts of parts of a row. */
const MAX_RECORD_DEPTH = 3;
const MAX_DEEP_FIELDS = 40;
const MAX_DEEP_UNITS = 200;
/** Shorter texts of these letters are keys and hashes. */
const LEAST_ENCODED_UNITS = 300;
const LEAST_LINE_UNITS = 60;
/** A text from which on it is asked at once whether it is a file, which may be larger than what is held. */
const LEAST_PASSED_UNITS = 16 * 1024;

interface Frame {
  node: XmlNode;
  /** Set once its children are written as they come. */
  isStreaming: boolean;
  /** Its text is an encoded file, which is passed over. */
  isEncoded?: boolean;
  /** It was looked at before its end. */
  isAsked?: boolean;
}

/** An element whose parts are one level deeper: a row, if the next element is one of its kind. */
interface WaitingRecord {
  readonly node: XmlNode;
  readonly depth: number;
  readonly record: FlatRecord;
}

/**
 * Writes XML of an unknown vocabulary. Small subtrees are held until they are complete, so that their shape decides: a
 * flat element is a record, records of the same name in a row are a table, titles are headings, mixed text is a paragraph.
 */
export class XmlDocumentWriter implements XmlHandler {
  elements = 0;
  /** Files within elements, encoded as text. */
  encodedFiles = 0;
  title: string | undefined;
  private readonly output: ParseOutput;
  private readonly records: RecordTable;
  private recordName: string | undefined;
  private waiting: WaitingRecord | undefined;
  private readonly stack: Frame[] = [];

  constructor(output: ParseOutput) {
    this.output = output;
    this.records = new RecordTable(output);
  }

  get tables(): number {
    return this.records.tables;
  }

  get tableRows(): number {
    return this.records.rows;
  }

  open(name: string, attributes: XmlAttributes): void {
    this.elements += 1;
    // The root is never held: a document of records would be written only at its end.
    this.stack.push({ node: createNode(name, attributes), isStreaming: false });
    if (this.stack.length === 1) this.startStreaming();
  }

  text(text: string): void {
    const frame = this.stack.at(-1);
    if (frame === undefined || frame.isEncoded === true) return;
    if (frame.isStreaming) {
      if (/\S/.test(text)) this.writeParagraph(text.replace(/\s+/g, ' ').trim());
      return;
    }
    frame.node.content.push(text);
    frame.node.units += text.length;
    if (frame.node.units > LEAST_PASSED_UNITS && frame.isAsked !== true) {
      frame.isAsked = true;
      passOverEncoded(frame);
    }
    this.bound();
  }

  close(): void {
    const frame = this.stack.pop();
    if (frame === undefined) return;
    const parent = this.stack.at(-1);
    passOverEncoded(frame);
    if (frame.isEncoded === true) this.encodedFiles += 1;
    if (frame.isStreaming) {
      if (parent !== undefined) this.endRecords();
    } else if (parent === undefined || parent.isStreaming) {
      this.writeNode(frame.node, this.stack.length);
    } else {
      parent.node.content.push(frame.node);
      parent.node.units += frame.node.units;
      this.bound();
    }
  }

  /** Writes what is held back. */
  finish(): void {
    this.endRecords();
  }

  /** Stops holding elements when they have become too large. */
  private bound(): void {
    let held = 0;
    for (const frame of this.stack) held += frame.isStreaming ? 0 : frame.node.units;
    if (held > MAX_HELD_UNITS) this.startStreaming();
  }

  /** Writes what all open elements hold so far; their further children are written one by one. */
  private startStreaming(): void {
    this.stack.forEach((frame, depth) => {
      if (frame.isStreaming) return;
      frame.isStreaming = true;
      const { node } = frame;
      this.writeAttributes(node, depth);
      this.writeContent(node, depth + 1);
      node.content = [];
      node.units = 0;
    });
  }

  private writeNode(node: XmlNode, depth: number): void {
    const name = localName(node.name);
    const record = recordOf(node);
    if (record !== undefined && childNodes(node).length + node.attributes.size > 0 && !TITLES.test(name)) {
      const first = this.takeWaiting(node.name);
      if (this.recordName !== node.name) this.endRecords();
      if (first !== undefined) this.beginRecords(first);
      this.recordName = node.name;
      return this.records.add(record, name);
    }
    const deep = deepRecordOf(node);
    if (deep !== undefined && this.takesDeep(node, deep, depth)) return;
    this.writeWhole(node, name, depth);
  }

  /** Whether an element with parts of parts is a row, or may be the first one. */
  private takesDeep(node: XmlNode, record: FlatRecord, depth: number): boolean {
    if (this.recordName !== node.name) {
      const first = this.takeWaiting(node.name);
      this.endRecords();
      if (first === undefined) this.waiting = { node, record, depth };
      else this.beginRecords(first);
      if (first === undefined) return true;
    }
    this.records.add(record, localName(node.name));
    return true;
  }

  /** The element that waits, if it is of this name. */
  private takeWaiting(name: string): WaitingRecord | undefined {
    const { waiting } = this;
    if (waiting?.node.name !== name) return undefined;
    this.waiting = undefined;
    return waiting;
  }

  private beginRecords({ node, record }: WaitingRecord): void {
    this.recordName = node.name;
    this.records.add(record, localName(node.name));
  }

  private writeWhole(node: XmlNode, name: string, depth: number): void {
    this.endRecords();
    const children = childNodes(node);
    if (children.length === 0 || isMixed(node)) return this.writeLeaf(node, name, depth);
    this.writeAttributes(node, depth);
    this.writeContent(node, depth + 1);
    this.endRecords();
  }

  private writeContent(node: XmlNode, depth: number): void {
    for (const item of node.content) {
      if (typeof item !== 'string') this.writeNode(item, depth);
      else if (/\S/.test(item)) this.writeParagraph(item.replace(/\s+/g, ' ').trim());
    }
  }

  private writeLeaf(node: XmlNode, name: string, depth: number): void {
    if (CODE.test(name)) return writePlainLines(this.output, rawText(node).split(/\r?\n/), { kind: 'code' });
    const text = plainText(textOf(node));
    if (text === '') return;
    if (TITLES.test(name) && text.length <= MAX_TITLE_UNITS) {
      this.title ??= text;
      return writeHeading(this.output, text, Math.min(Math.max(depth - 1, 1), 6));
    }
    if (LIST_ITEMS.test(name)) return writePlainLines(this.output, [`- ${text}`], { kind: 'list_item', level: 1 });
    this.writeParagraph(PLAIN.test(name) || isMixed(node) || depth === 0 ? text : `${name}: ${text}`);
  }

  private writeAttributes(node: XmlNode, depth: number): void {
    if (node.attributes.size === 0) return;
    this.endRecords();
    const name = localName(node.name);
    const lines: string[] = [];
    for (const [key, value] of node.attributes) {
      if (TITLES.test(localName(key)) && depth > 0) writeHeading(this.output, value, Math.min(depth, 6));
      else lines.push(`${name} ${localName(key)}: ${value}`);
    }
    writePlainLines(this.output, lines);
  }

  private writeParagraph(text: string): void {
    this.endRecords();
    writePlainLines(this.output, [text]);
  }

  private endRecords(): void {
    this.records.end();
    this.recordName = undefined;
    const { waiting } = this;
    this.waiting = undefined;
    if (waiting !== undefined) this.writeWhole(waiting.node, localName(waiting.node.name), waiting.depth);
  }
}

/** Takes the text of an element out that is a file, as invoices have the documents that belong to them. */
function passOverEncoded(frame: Frame): void {
  const { node } = frame;
  if (frame.isStreaming || frame.isEncoded === true || node.content.some((item) => typeof item !== 'string')) return;
  if (!isEncoded(rawText(node))) return;
  frame.isEncoded = true;
  node.content = [];
  node.units = 0;
}

/** Base64: letters, digits and two signs in lines that are longer than words. */
function isEncoded(text: string): boolean {
  if (text.length < LEAST_ENCODED_UNITS || !/^[\sA-Za-z0-9+/]+={0,2}\s*$/.test(text)) return false;
  const lines = text.trim().split(/\s+/);
  const isLong = lines.slice(0, -1).every(({ length }) => length >= LEAST_LINE_UNITS);
  return isLong && lines[0]!.length >= LEAST_LINE_UNITS && /[a-z]/.test(text) && /[A-Z]/.test(text) && /\d/.test(text);
}

/** As `recordOf`, with parts of parts as columns of two or three names: `Item Name`. Without titles, and each name once. */
function deepRecordOf(node: XmlNode): FlatRecord | undefined {
  const record = new Map<string, string>();
  return collectDeep(node, '', 0, record) && record.size > 1 ? record : undefined;
}

function collectDeep(node: XmlNode, prefix: string, depth: number, record: Map<string, string>): boolean {
  if (isMixed(node) || depth > MAX_RECORD_DEPTH) return false;
  const named = (name: string): string => (prefix === '' ? name : `${prefix} ${name}`);
  const take = (name: string, value: string): boolean => {
    if (record.has(name) || record.size >= MAX_DEEP_FIELDS || value.length > MAX_DEEP_UNITS) return false;
    record.set(name, value);
    return true;
  };
  for (const [key, value] of node.attributes) if (!take(named(localName(key)), value)) return false;
  for (const child of childNodes(node)) {
    const name = localName(child.name);
    if (TITLES.test(name)) return false;
    if (PLAIN.test(name) && !FIELDS.test(name) && !(ALONE_FIELDS.test(name) && isOneOfFields(child, node)))
      return false;
    const isLeaf = childNodes(child).length === 0;
    if (!isLeaf && !collectDeep(child, named(name), depth + 1, record)) return false;
    if (!isLeaf) continue;
    for (const [key, value] of child.attributes) if (!take(`${named(name)} ${localName(key)}`, value)) return false;
    const text = plainText(textOf(child));
    if (text === '' && child.attributes.size > 0) continue;
    if (!take(named(name), text)) return false;
  }
  return childNodes(node).length > 0;
}

/** Attributes and leaves of a flat element as a record; undefined when it holds more than leaves, or mixed text. */
function recordOf(node: XmlNode): FlatRecord | undefined {
  if (isMixed(node) || holdsRecords(node)) return undefined;
  const record = new Map<string, string>();
  const add = (name: string, value: string): void => {
    const before = record.get(name);
    record.set(name, before === undefined || before === '' ? value : `${before}, ${value}`);
  };
  for (const [name, value] of node.attributes) add(localName(name), value);
  for (const child of childNodes(node)) {
    if (childNodes(child).length > 0) return undefined;
    const name = localName(child.name);
    if (PLAIN.test(name) && !FIELDS.test(name) && !(ALONE_FIELDS.test(name) && isOneOfFields(child, node)))
      return undefined;
    for (const [key, value] of child.attributes) add(`${name} ${localName(key)}`, value);
    const text = plainText(textOf(child));
    if (text !== '' || child.attributes.size === 0) add(name, text);
  }
  if (childNodes(node).length === 0) {
    const own = textOf(node);
    if (own !== '' && node.attributes.size > 0) add(localName(node.name), plainText(own));
  }
  return record;
}

/** Whether an element is a list of others, whose values are in their attributes. */
function holdsRecords(node: XmlNode): boolean {
  const children = childNodes(node);
  return (
    children.length > 1 && children.every(({ name, attributes }) => name === children[0]!.name && attributes.size > 1)
  );
}

/** Whether a child is beside fields of other names, and none of its own. */
function isOneOfFields(child: XmlNode, node: XmlNode): boolean {
  const children = childNodes(node);
  return (
    children.some(({ name }) => name !== child.name) && children.filter(({ name }) => name === child.name).length === 1
  );
}

/** Feeds carry HTML as text: its tags are no words. */
function plainText(text: string): string {
  if (!/<\/?(?:p|a|br|div|span|ul|ol|li|b|i|em|strong|img|h[1-6])\b[^<>]*>/i.test(text)) return text;
  return text
    .replace(/<[^<>]*>/g, ' ')
    .replace(/&(lt|gt|quot|#39|nbsp|amp);/g, (_, name: string) => UNESCAPED[name]!)
    .replace(/\s+/g, ' ')
    .trim();
}

const UNESCAPED: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ', amp: '&' };

function rawText(node: XmlNode): string {
  return node.content.map((item) => (typeof item === 'string' ? item : rawText(item))).join('');
}
