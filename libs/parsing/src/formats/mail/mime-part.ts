import { Buffer } from 'node:buffer';

/** One part of a MIME message: its header lines by lower-case name, and its body as it is in the file. */
export interface MimePart {
  /** Header and body, a view into the file. */
  readonly bytes: Buffer;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
}

/** Parts that are looked at for the one sought. */
const MAX_PARTS = 2_000;

/** Splits a part into its header and its body. */
export function readMimePart(bytes: Buffer): MimePart {
  const border = borderOf(bytes);
  const headers = new Map<string, string>();
  for (const line of bytes
    .toString('utf8', 0, border.end)
    .replace(/\r?\n[ \t]+/g, ' ')
    .split(/\r?\n/)) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).trim().toLowerCase();
    if (colon > 0 && !headers.has(name)) headers.set(name, line.slice(colon + 1).trim());
  }
  return { bytes, headers, body: bytes.subarray(border.next) };
}

function borderOf(bytes: Buffer): { end: number; next: number } {
  if (bytes[0] === 10) return { end: 0, next: 1 };
  if (bytes[0] === 13 && bytes[1] === 10) return { end: 0, next: 2 };
  const crlf = bytes.indexOf('\r\n\r\n');
  const lf = bytes.indexOf('\n\n');
  if (crlf >= 0 && (lf < 0 || crlf < lf)) return { end: crlf, next: crlf + 4 };
  return lf < 0 ? { end: bytes.length, next: bytes.length } : { end: lf, next: lf + 2 };
}

/** The value of a header line without its parameters, in lower case. */
export function essenceOf(value: string | undefined): string {
  return (value ?? '').split(';', 1)[0]!.trim().toLowerCase();
}

/** A parameter of a header line. */
export function parameterOf(value: string | undefined, name: string): string | undefined {
  const found = new RegExp(`;\\s*${name}\\s*=\\s*(?:"([^"]{0,500})"|([^\\s;"]{1,500}))`, 'i').exec(value ?? '');
  return found?.[1] ?? found?.[2];
}

/** The parts of a multipart body, in order. */
export function* partsOf({ headers, body }: MimePart): Generator<MimePart> {
  const boundary = parameterOf(headers.get('content-type'), 'boundary');
  if (boundary === undefined || boundary === '') return;
  const mark = Buffer.from(`--${boundary}`, 'utf8');
  let at = nextMark(body, mark, 0);
  for (let count = 0; at >= 0 && count < MAX_PARTS; count += 1) {
    const line = body.indexOf(10, at + mark.length);
    if (line < 0 || body.toString('latin1', at + mark.length, at + mark.length + 2) === '--') return;
    const next = nextMark(body, mark, line);
    yield readMimePart(body.subarray(line + 1, next < 0 ? body.length : next));
    at = next;
  }
}

/** A mark is at the beginning of a line, and is not the beginning of another mark. */
function nextMark(body: Buffer, mark: Buffer, from: number): number {
  let at = body.indexOf(mark, from);
  while (at >= 0 && !((at === 0 || body[at - 1] === 10) && isEndOfMark(body, at + mark.length))) {
    at = body.indexOf(mark, at + 1);
  }
  return at;
}

function isEndOfMark(body: Buffer, at: number): boolean {
  return at >= body.length || /^(?:--|\s)/.test(body.toString('latin1', at, at + 2));
}

/** The body of a part without its transfer encoding. */
export function decodeBody({ headers, body }: MimePart): Buffer {
  const encoding = essenceOf(headers.get('content-transfer-encoding'));
  if (encoding === 'base64') return Buffer.from(body.toString('latin1'), 'base64');
  return encoding === 'quoted-printable' ? fromQuotedPrintable(body) : body;
}

function fromQuotedPrintable(body: Buffer): Buffer {
  const decoded = Buffer.alloc(body.length);
  let length = 0;
  for (let at = 0; at < body.length; at += 1) {
    if (body[at] !== 0x3d) {
      decoded[length] = body[at]!;
      length += 1;
    } else if (body[at + 1] === 10) at += 1;
    else if (body[at + 1] === 13 && body[at + 2] === 10) at += 2;
    else {
      const hex = body.toString('latin1', at + 1, at + 3);
      const isByte = /^[\da-f]{2}$/i.test(hex);
      decoded[length] = isByte ? Number.parseInt(hex, 16) : 0x3d;
      length += 1;
      if (isByte) at += 2;
    }
  }
  return decoded.subarray(0, length);
}

/** The header of a part without the lines that say what its body is and how it is encoded; without all that are of its body, if asked for. */
export function headerWithoutContent({ bytes, body }: MimePart, withoutAll = false): string {
  const header = bytes.toString('latin1', 0, bytes.length - body.length).trimEnd();
  const lines = withoutAll ? OF_CONTENT : OF_ENCODING;
  return header.replace(lines, '').trimEnd();
}

const OF_ENCODING = /^content-(?:type|transfer-encoding)[ \t]*:.*(?:\r?\n[ \t].*)*(?:\r?\n|$)/gim;
const OF_CONTENT = /^content-[a-z-]{1,40}[ \t]*:.*(?:\r?\n[ \t].*)*(?:\r?\n|$)/gim;
