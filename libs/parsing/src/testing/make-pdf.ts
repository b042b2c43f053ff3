import { deflateSync, inflateSync } from 'node:zlib';

/** A picture in shades of grey, one byte per pixel. */
export interface GreyPicture {
  width: number;
  height: number;
  pixels: Buffer;
}

/** One page of A4: lines of text from the top, a picture over the whole page, or both. */
export interface PdfPage {
  lines?: readonly string[];
  picture?: GreyPicture;
}

const WIDTH = 595;
const HEIGHT = 842;

/** A PDF for tests; lines are set in 24 points, 60 points from the left edge. */
export function makePdf(pages: readonly PdfPage[]): Buffer {
  const objects: Buffer[] = [Buffer.alloc(0), Buffer.alloc(0)];
  const add = (content: Buffer | string): number => objects.push(Buffer.from(content)) && objects.length;
  const font = add('<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>');
  const kids = pages.map((page) => {
    const image = page.picture === undefined ? undefined : add(imageObject(page.picture));
    const contents = add(streamObject('', Buffer.from(drawing(page))));
    const pictures = image === undefined ? '' : `/XObject<</Im ${image} 0 R>>`;
    return add(
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 ${WIDTH} ${HEIGHT}]/Contents ${contents} 0 R` +
        `/Resources<</Font<</F ${font} 0 R>>${pictures}>>>>`,
    );
  });
  objects[0] = Buffer.from('<</Type/Catalog/Pages 2 0 R>>');
  objects[1] = Buffer.from(`<</Type/Pages/Count ${kids.length}/Kids[${kids.map((kid) => `${kid} 0 R`).join(' ')}]>>`);
  return assemble(objects);
}

function drawing({ lines = [], picture }: PdfPage): string {
  const image = picture === undefined ? '' : `q ${WIDTH} 0 0 ${HEIGHT} 0 0 cm /Im Do Q\n`;
  const text = lines.map(
    (line, at) => `BT /F 24 Tf 60 ${HEIGHT - 80 - at * 40} Td (${line.replace(/[()\\]/g, '\\$&')}) Tj ET`,
  );
  return image + text.join('\n');
}

function imageObject({ width, height, pixels }: GreyPicture): Buffer {
  const head = `/Type/XObject/Subtype/Image/Width ${width}/Height ${height}/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/FlateDecode`;
  return streamObject(head, deflateSync(pixels));
}

function streamObject(head: string, data: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`<<${head}/Length ${data.length}>>\nstream\n`), data, Buffer.from('\nendstream')]);
}

function assemble(objects: readonly Buffer[]): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.4\n')];
  const offsets: number[] = [];
  let offset = parts[0]!.length;
  objects.forEach((object, at) => {
    offsets.push(offset);
    const whole = Buffer.concat([Buffer.from(`${at + 1} 0 obj\n`), object, Buffer.from('\nendobj\n')]);
    parts.push(whole);
    offset += whole.length;
  });
  const rows = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  parts.push(
    Buffer.from(
      `xref\n0 ${size}\n0000000000 65535 f \n${rows}trailer\n<</Size ${size}/Root 1 0 R>>\nstartxref\n${offset}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(parts);
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
