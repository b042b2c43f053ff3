import { once } from 'node:events';
import { connect, createServer } from 'node:net';

/** A port that was free a moment ago: for programs that cannot choose one themselves. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  if (address === null || typeof address === 'string') throw new Error('No port.');
  return address.port;
}

/** Whether someone accepts connections there. */
export async function listens(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    // No one listens yet.
    return false;
  } finally {
    socket.destroy();
  }
}
