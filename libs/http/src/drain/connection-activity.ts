import type { Server, Socket } from 'node:net';

/** Nothing has been asked of the connection yet. */
const NEW = -1;

/** The open connections of a server, and whether anything comes on them. */
export class ConnectionActivity {
  private readonly bytes = new Map<Socket, number>();
  private total = 0;

  /** Follows the connections of a server from now on. */
  watch(server: Server): void {
    server.on('connection', (socket) => {
      this.total += 1;
      this.bytes.set(socket, NEW);
      socket.once('close', () => this.bytes.delete(socket));
    });
  }

  /** How many there are. */
  get count(): number {
    return this.bytes.size;
  }

  /** How many there have been. */
  get taken(): number {
    return this.total;
  }

  /** Whether a connection has come, or bytes on one, since the last look. */
  hasNews(): boolean {
    let isNews = false;
    for (const [socket, before] of this.bytes) {
      if (socket.bytesRead === before) continue;
      this.bytes.set(socket, socket.bytesRead);
      isNews = true;
    }
    return isNews;
  }
}
