import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Answer } from './api-client.js';

/** Sends bytes that no client would send, on a connection of their own, and reads the answer until the service closes it. */
export async function sendBytes(url: string, bytes: string): Promise<Answer<unknown>> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  socket.write(Buffer.from(bytes, 'latin1'));
  const answer = await text(socket);
  const [head = '', ...rest] = answer.split('\r\n\r\n');
  const [status = '', ...lines] = head.split('\r\n');
  const headers = new Headers(
    lines.map((line): [string, string] => [line.split(': ', 1)[0]!, line.replace(/^[^:]*: /, '')]),
  );
  const body = rest.join('\r\n\r\n');
  const isJson = /\bjson\b/.test(headers.get('content-type') ?? '');
  return { status: Number(status.split(' ')[1]), headers, body: isJson ? JSON.parse(body) : body };
}
