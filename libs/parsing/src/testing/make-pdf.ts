import { createHash } from 'node:crypto';
import { deflateSync, inflateSync } from 'node:zlib';

/** A picture in shades of grey, one byte per pixel. */
export interface GreyPicture {
  width: number;
  height: number;
  pixels: Buffer;
}

/** A line in another look than the usual one, black and 24 points. */
export interface PdfLine {
  text: string;
  /** Points. */
  size?: number;
  isWhite?: boolean;
}

/** A text at a place of its own, in 10 points unless said otherwise: its base line, in points from the top left corner. */
export interface PlacedText {
  text: string;
  x: number;
  y: number;
  size?: number;
  /** What the line begins with, in bold type. */
  bold?: string;
  /** Written from the bottom to the top. */
  isUpward?: boolean;
}

/** A field of a form, 16 points wide and high: its entries as a PDF has them, and the top left corner. */
export interface PdfField {
  entries: string;
  x: number;
  y: number;
}

/** One page of A4: lines of text from the top, texts at places of their own, a picture over the whole page, or all of them. */
export interface PdfPage {
  lines?: readonly (string | PdfLine)[];
  placed?: readonly PlacedText[];
  /** Rectangles that are drawn, not filled: left, top, width and height. */
  frames?: readonly (readonly [number, number, number, number])[];
  picture?: GreyPicture;
  fields?: readonly PdfField[];
  /** Degrees by which a reader turns the page clockwise. */
  turned?: 90 | 180 | 270;
  /** Points that are cut off on the left and at the top. */
  cropped?: readonly [number, number];
}

/** A file that is attached to a PDF. */
export interface PdfAttachment {
  name: string;
  data: Buffer;
  mediaType?: string;
  /** How it is related to the pages: `Alternative`, `Source`, `Supplement`. */
  relation?: string;
  /** Not packed. */
  isPlain?: boolean;
}

const WIDTH = 595;
const HEIGHT = 842;

type PdfObject = string | { head: string; data: Buffer };

/**
 * A PDF for tests; lines are set in 24 points, 60 points from the left edge. With a user password (also an empty one) it is
 * encrypted by the standard handler, 40 bits.
 */
export function makePdf(
  pages: readonly PdfPage[],
  userPassword?: string,
  attached: readonly PdfAttachment[] = [],
): Buffer {
  const objects: PdfObject[] = ['', ''];
  const add = (object: PdfObject): number => objects.push(object);
  const font = add('<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>');
  const bold = add('<</Type/Font/Subtype/Type1/BaseFont/Helvetica-Bold/Encoding/WinAnsiEncoding>>');
  const widgets: number[] = [];
  const kids = pages.map((page) => {
    const image = page.picture === undefined ? undefined : add(imageObject(page.picture));
    const contents = add({ head: '', data: Buffer.from(drawing(page), 'latin1') });
    const own = (page.fields ?? []).map((field) => add(widget(field)));
    widgets.push(...own);
    const pictures = image === undefined ? '' : `/XObject<</Im ${image} 0 R>>`;
    return add(
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 ${WIDTH} ${HEIGHT}]${view(page)}/Contents ${contents} 0 R` +
        `/Resources<</Font<</F ${font} 0 R/B ${bold} 0 R>>${pictures}>>${own.length === 0 ? '' : `/Annots[${references(own)}]`}>>`,
    );
  });
  const files = attached.map((file) => attachmentObjects(file, add));
  const names = `/Names<</EmbeddedFiles<</Names[${files.join(' ')}]>>>>`;
  const form = widgets.length === 0 ? '' : `/AcroForm<</Fields[${references(widgets)}]>>`;
  objects[0] = `<</Type/Catalog/Pages 2 0 R${files.length === 0 ? '' : names}${form}>>`;
  objects[1] = `<</Type/Pages/Count ${kids.length}/Kids[${references(kids)}]>>`;
  return assemble(objects, userPassword === undefined ? undefined : lockWith(userPassword));
}

function references(numbers: readonly number[]): string {
  return numbers.map((number) => `${number} 0 R`).join(' ');
}

function widget({ entries, x, y }: PdfField): string {
  return `<</Type/Annot/Subtype/Widget/Rect[${x} ${HEIGHT - y - 16} ${x + 16} ${HEIGHT - y}]${entries}>>`;
}

/** The entry of a file in the list of names. */
function attachmentObjects({ name, data, ...how }: PdfAttachment, add: (object: PdfObject) => number): string {
  const type = how.mediaType === undefined ? '' : `/Subtype/${how.mediaType.replace('/', '#2F')}`;
  const packed = how.isPlain === true ? { head: '', data } : { head: '/Filter/FlateDecode', data: deflateSync(data) };
  const bytes = add({ head: `/Type/EmbeddedFile${type}${packed.head}`, data: packed.data });
  const words = `feff${Buffer.from(name, 'utf16le').swap16().toString('hex')}`;
  const relation = how.relation === undefined ? '' : `/AFRelationship/${how.relation}`;
  const spec = add(`<</Type/Filespec/F(file)/UF<${words}>/EF<</F ${bytes} 0 R/UF ${bytes} 0 R>>${relation}>>`);
  return `(file${spec}) ${spec} 0 R`;
}

function view({ turned, cropped }: PdfPage): string {
  const [left, top] = cropped ?? [0, 0];
  const box = cropped === undefined ? '' : `/CropBox[${left} 0 ${WIDTH} ${HEIGHT - top}]`;
  return turned === undefined ? box : `${box}/Rotate ${turned}`;
}

function drawing({ lines = [], placed = [], frames = [], picture }: PdfPage): string {
  const image = picture === undefined ? '' : `q ${WIDTH} 0 0 ${HEIGHT} 0 0 cm /Im Do Q\n`;
  const text = lines.map((line, at) => {
    const { text: words, size = 24, isWhite = false } = typeof line === 'string' ? { text: line } : line;
    const colour = isWhite ? '1 g ' : '';
    return `BT ${colour}/F ${size} Tf 60 ${HEIGHT - 80 - at * 40} Td (${escaped(words)}) Tj 0 g ET`;
  });
  const rectangles = frames.map(([x, y, width, height]) => `.5 w ${x} ${HEIGHT - y - height} ${width} ${height} re S`);
  const single = placed.map(
    ({ text: words, x, y, size = 10, bold = '', isUpward = false }) =>
      `BT ${isUpward ? '0 1 -1 0' : '1 0 0 1'} ${x} ${HEIGHT - y} Tm ` +
      `${bold === '' ? '' : `/B ${size} Tf (${escaped(bold)}) Tj `}/F ${size} Tf (${escaped(words)}) Tj ET`,
  );
  return image + [...rectangles, ...text, ...single].join('\n');
}

/** Characters of Latin-1 as a string of a PDF. */
function escaped(words: string): string {
  return words.replace(/[()\\]/g, '\\$&');
}

function imageObject({ width, height, pixels }: GreyPicture): PdfObject {
  const head = `/Type/XObject/Subtype/Image/Width ${width}/Height ${height}/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/FlateDecode`;
  return { head, data: deflateSync(pixels) };
}

function assemble(objects: readonly PdfObject[], lock: PdfLock | undefined): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.4\n')];
  const offsets: number[] = [];
  let offset = parts[0]!.length;
  objects.forEach((object, at) => {
    offsets.push(offset);
    const whole = Buffer.concat([
      Buffer.from(`${at + 1} 0 obj\n`),
      serialize(object, at + 1, lock),
      Buffer.from('\nendobj\n'),
    ]);
    parts.push(whole);
    offset += whole.length;
  });
  const rows = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  const trailer = `<</Size ${size}/Root 1 0 R${lock?.trailer ?? ''}>>`;
  parts.push(
    Buffer.from(`xref\n0 ${size}\n0000000000 65535 f \n${rows}trailer\n${trailer}\nstartxref\n${offset}\n%%EOF\n`),
  );
  return Buffer.concat(parts);
}

function serialize(object: PdfObject, number: number, lock: PdfLock | undefined): Buffer {
  if (typeof object === 'string') return Buffer.from(object);
  const data = lock === undefined ? object.data : lock.encrypt(object.data, number);
  return Buffer.concat([
    Buffer.from(`<<${object.head}/Length ${data.length}>>\nstream\n`),
    data,
    Buffer.from('\nendstream'),
  ]);
}

interface PdfLock {
  trailer: string;
  encrypt(data: Buffer, objectNumber: number): Buffer;
}

const PADDING = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex');
const ALL_PERMISSIONS = Buffer.from([0xfc, 0xff, 0xff, 0xff]);

/** The standard security handler, revision 2 (ISO 32000-1, 7.6.3), with the owner password `owner`. */
function lockWith(userPassword: string): PdfLock {
  const md5 = (...pieces: Buffer[]): Buffer => createHash('md5').update(Buffer.concat(pieces)).digest();
  const pad = (password: string): Buffer => Buffer.concat([Buffer.from(password, 'latin1'), PADDING]).subarray(0, 32);
  const id = Buffer.alloc(16, 7);
  const owner = rc4(md5(pad('owner')).subarray(0, 5), pad(userPassword));
  const key = md5(pad(userPassword), owner, ALL_PERMISSIONS, id).subarray(0, 5);
  const hex = (bytes: Buffer): string => `<${bytes.toString('hex')}>`;
  const encryption = `<</Filter/Standard/V 1/R 2/O${hex(owner)}/U${hex(rc4(key, PADDING))}/P -4>>`;
  return {
    trailer: `/Encrypt ${encryption}/ID[${hex(id)}${hex(id)}]`,
    encrypt: (data, number) => rc4(md5(key, Buffer.from([number & 0xff, number >> 8, 0, 0, 0])).subarray(0, 10), data),
  };
}

function rc4(key: Buffer, data: Buffer): Buffer {
  const state = Uint8Array.from({ length: 256 }, (_, at) => at);
  const swap = (a: number, b: number): void => {
    [state[a], state[b]] = [state[b]!, state[a]!];
  };
  for (let at = 0, other = 0; at < 256; at += 1) {
    other = (other + state[at]! + key[at % key.length]!) & 0xff;
    swap(at, other);
  }
  let x = 0;
  let y = 0;
  return data.map((byte) => {
    x = (x + 1) & 0xff;
    y = (y + state[x]!) & 0xff;
    swap(x, y);
    return byte ^ state[(state[x]! + state[y]!) & 0xff]!;
  }) as Buffer;
}

/** The pixels of a PNG (8 bits, RGBA, not interlaced) in shades of grey: its red channel on white. */
export function greyOfPng(png: Buffer): GreyPicture {
  const width = png.readUInt32BE(16);
  const height = png.readUInt32BE(20);
  const data: Buffer[] = [];
  for (let at = 8; at < png.length;) {
    const length = png.readUInt32BE(at);
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') data.push(png.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  const rows = unfilter(inflateSync(Buffer.concat(data)), width * 4, height);
  const pixels = Buffer.alloc(width * height);
  for (let at = 0; at < pixels.length; at += 1) pixels[at] = rows[at * 4]!;
  return { width, height, pixels };
}

/** Undoes the filters of a PNG with four bytes per pixel. */
function unfilter(raw: Buffer, stride: number, height: number): Buffer {
  const out = Buffer.alloc(stride * height);
  for (let row = 0; row < height; row += 1) {
    const filter = raw[row * (stride + 1)]!;
    for (let at = 0; at < stride; at += 1) {
      const left = at >= 4 ? out[row * stride + at - 4]! : 0;
      const up = row > 0 ? out[(row - 1) * stride + at]! : 0;
      const corner = at >= 4 && row > 0 ? out[(row - 1) * stride + at - 4]! : 0;
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter]!;
      out[row * stride + at] = (raw[row * (stride + 1) + 1 + at]! + guess) & 0xff;
    }
  }
  return out;
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner;
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
  return a <= b && a <= c ? left : b <= c ? up : corner;
}
