/** `1.2.840.113549.1.7.2`: signed data; its content is readable to everyone, unlike that of enveloped data. */
const SIGNED_DATA = Buffer.from('2a864886f70d010702', 'hex');
const SEQUENCE = 0x30;
const OCTETS = 0x04;
const OCTETS_IN_PARTS = 0x24;
const OBJECT_ID = 0x06;
const EXPLICIT_0 = 0xa0;
const MAX_DEPTH = 24;
/** Elements that are looked at in one package; long contents come in parts of a few kilobytes. */
const MAX_ELEMENTS = 200_000;

interface Element {
  readonly tag: number;
  readonly value: Buffer;
  /** Where the next one begins. */
  readonly end: number;
}

/** What an S/MIME package (`smime.p7m`, RFC 8551) holds between its signatures: a MIME part. Undefined where it is encrypted, or damaged. */
export function signedContent(bytes: Uint8Array): Buffer | undefined {
  const reader = new BerReader(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  return reader.signed();
}

/** Reads the elements of BER, of which DER is a part: programs that do not know the length of a mail leave lengths open. */
class BerReader {
  private seen = 0;

  constructor(private readonly bytes: Buffer) {}

  signed(): Buffer | undefined {
    const [type, content] = this.inside(this.read(this.bytes, 0, 0), SEQUENCE);
    if (type?.tag !== OBJECT_ID || !type.value.equals(SIGNED_DATA)) return undefined;
    const data = this.inside(this.inside(content, EXPLICIT_0)[0], SEQUENCE);
    const packed = data.find(({ tag }, at) => tag === SEQUENCE && at > 0);
    const [, octets] = this.inside(packed, SEQUENCE);
    const [text] = this.inside(octets, EXPLICIT_0);
    const inner = text === undefined ? undefined : this.octetsOf(text);
    return inner === undefined || inner.length === 0 ? undefined : inner;
  }

  private octetsOf({ tag, value }: Element): Buffer | undefined {
    if (tag === OCTETS) return value;
    if (tag !== OCTETS_IN_PARTS) return undefined;
    const parts = this.elementsOf(value, 0).map((part) => (part.tag === OCTETS ? part.value : undefined));
    return parts.some((part) => part === undefined) ? undefined : Buffer.concat(parts as Buffer[]);
  }

  private inside(element: Element | undefined, tag: number): Element[] {
    return element?.tag === tag ? this.elementsOf(element.value, 0) : [];
  }

  private elementsOf(bytes: Buffer, depth: number): Element[] {
    const elements: Element[] = [];
    for (let at = 0; at < bytes.length;) {
      const element = this.read(bytes, at, depth);
      if (element === undefined) break;
      elements.push(element);
      at = element.end;
    }
    return elements;
  }

  /** One element; its value reaches to the end of the bytes where they are cut. Undefined at the mark that ends an open length. */
  private read(bytes: Buffer, at: number, depth: number): Element | undefined {
    this.seen += 1;
    if (at + 2 > bytes.length || depth > MAX_DEPTH || this.seen > MAX_ELEMENTS) return undefined;
    const tag = bytes[at]!;
    const first = bytes[at + 1]!;
    if (tag === 0 && first === 0) return undefined;
    if (first === 0x80) return this.readOpen(bytes, at, tag, depth);
    const width = first < 0x80 ? 0 : first & 0x7f;
    if (width > 4 || at + 2 + width > bytes.length) return undefined;
    const length = width === 0 ? first : bytes.readUIntBE(at + 2, width);
    const from = at + 2 + width;
    return { tag, value: bytes.subarray(from, from + length), end: Math.min(from + length, bytes.length) };
  }

  private readOpen(bytes: Buffer, at: number, tag: number, depth: number): Element | undefined {
    const from = at + 2;
    let end = from;
    while (end < bytes.length) {
      const inner = this.read(bytes, end, depth + 1);
      if (inner === undefined) break;
      end = inner.end;
    }
    return { tag, value: bytes.subarray(from, end), end: Math.min(end + 2, bytes.length) };
  }
}
