import { isUtf8 } from 'node:buffer';
import { canonicalCharset } from '../../charset/charset-names.js';
import { createDecoder } from '../../charset/decode-file.js';
import { detectCharset } from '../../charset/detect-charset.js';

/**
 * Old programs write raw letters of their own character set into the header, and into bodies that name none. Turns those
 * parts into UTF-8; everything that declares its encoding stays as it is.
 */
export async function repairUndeclared(message: Buffer, path: string): Promise<Buffer> {
  if (isUtf8(message)) return message;
  const border = endOfHeader(message);
  const header = message.subarray(0, border);
  const body = message.subarray(border);
  const declared = /charset\s*=\s*"?([\w.:-]+)/i.exec(message.toString('latin1'))?.[1];
  const known = declared === undefined ? undefined : canonicalCharset(declared);
  const charset = known !== undefined && known !== 'utf-8' ? known : (await detectCharset(path)).name;
  return Buffer.concat([toUtf8(header, charset), declared === undefined ? toUtf8(body, charset) : body]);
}

function endOfHeader(message: Buffer): number {
  const crlf = message.indexOf('\r\n\r\n');
  const lf = message.indexOf('\n\n');
  if (crlf < 0 && lf < 0) return message.length;
  return crlf >= 0 && (lf < 0 || crlf < lf) ? crlf : lf;
}

function toUtf8(bytes: Buffer, charset: string): Buffer {
  if (isUtf8(bytes) || charset.startsWith('utf-')) return bytes;
  const decoder = createDecoder(charset);
  return Buffer.from(decoder.decode(bytes) + decoder.end());
}
