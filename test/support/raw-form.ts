import { Buffer } from 'node:buffer';
import type { Answer, ApiClient } from './api-client.js';

/** A part of a form as bytes: its header lines, each character one byte, and its body. */
export interface RawPart {
  readonly headers: readonly string[];
  readonly body: string | Buffer;
}

const BOUNDARY = 'raw-form-boundary';

/** A field of a form. */
export function rawField(name: string, value: string): RawPart {
  return { headers: [`Content-Disposition: form-data; name="${name}"`], body: value };
}

/** A file whose Content-Disposition ends in `parameters`, written in latin1: one character is one byte. */
export function rawFile(parameters: string, body: string | Buffer, field = 'file'): RawPart {
  return {
    headers: [`Content-Disposition: form-data; name="${field}"; ${parameters}`, 'Content-Type: text/plain'],
    body,
  };
}

/** The bytes of UTF-8 as latin1 characters, to be written into a header. */
export function utf8Bytes(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

/** Sends a form that no library has touched. */
export async function sendRaw<T>(client: ApiClient, path: string, parts: readonly RawPart[]): Promise<Answer<T>> {
  const pieces = parts.flatMap(({ headers, body }) => [
    Buffer.from(`--${BOUNDARY}\r\n${headers.join('\r\n')}\r\n\r\n`, 'latin1'),
    typeof body === 'string' ? Buffer.from(body, 'utf8') : body,
    Buffer.from('\r\n'),
  ]);
  const response = await fetch(`${client.url}${path}`, {
    method: 'POST',
    headers: { ...client.headers, 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}` },
    body: Uint8Array.from(Buffer.concat([...pieces, Buffer.from(`--${BOUNDARY}--\r\n`)])),
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as T };
}
