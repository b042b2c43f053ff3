import type { Socket } from 'node:net';

/** What comes on a connection from now on, as soon as it is like `wanted`. @throws Error with what has come when the connection is closed before */
export function receive(socket: Socket, wanted: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const onData = (piece: Buffer): void => {
      text += piece.toString();
      if (wanted.test(text)) settle(() => resolve(text));
    };
    const onClose = (): void => settle(() => reject(new Error(`The connection was closed after "${text}".`)));
    const settle = (end: () => void): void => {
      socket.off('data', onData).off('close', onClose);
      end();
    };
    socket.on('data', onData).once('close', onClose);
  });
}
