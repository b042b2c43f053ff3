/** Readers of streamed chats who take nothing of what is sent. */
import { connect } from 'node:net';

/**
 * Asks for a stream over a socket of its own and reads no byte of the answer, so that the buffers between the two fill and the service has to
 * wait. `leave` ends it.
 */
export async function openSlowReader({ url, headers }, body) {
  const { hostname, port, pathname } = new URL(`${url}/chat/completions`);
  const content = Buffer.from(JSON.stringify({ stream: true, ...body }));
  const head = { ...headers, 'Content-Type': 'application/json', 'Content-Length': content.length, Host: hostname };
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`);
  const socket = connect(Number(port), hostname);
  socket.pause();
  socket.on('error', () => undefined);
  await new Promise((resolve) => socket.once('connect', resolve));
  socket.write(`POST ${pathname} HTTP/1.1\r\n${lines.join('')}\r\n`);
  socket.write(content);
  return { leave: () => socket.destroy() };
}
