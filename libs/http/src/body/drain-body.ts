import { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { IMPORT_BODY_BYTES, type BodySizes } from './body-size.js';

const READ_ON_MS = 10_000;
const READ_ON_UPLOAD_BYTES = 16 * 1024 * 1024;

/**
 * Makes a response that is sent before the whole body has arrived reach its client, which would otherwise see a closed connection while it still
 * writes. The rest of the body is read and discarded, for at most 10 s and twice the size that the route accepts (16 MiB of a form); then the
 * connection is closed.
 */
export function drainBodyAfterAnswer(fastify: FastifyInstance, sizes: BodySizes): void {
  fastify.addHook('onSend', async (request, reply) => {
    const { raw } = request;
    if (!raw.complete && raw instanceof IncomingMessage) letPass(request, reply, readOnBytes(request, sizes));
  });
}

function letPass({ raw }: FastifyRequest, reply: FastifyReply, bytes: number): void {
  const { socket } = raw;
  const closing = deferClosing(socket);
  let left = bytes;
  // Closed in one direction first: anyone who looks for the answer still finds it, and the timer below does the rest.
  const stop = (): void => {
    raw.pause();
    socket.end();
  };
  raw.on('data', (piece: Buffer) => {
    left -= piece.length;
    if (left < 0 && reply.raw.writableFinished) stop();
  });
  reply.raw.once('finish', () => {
    // A long answer may end after the body.
    if (raw.readableEnded) {
      closing.allow();
      return;
    }
    const timer = setTimeout(() => socket.destroy(), READ_ON_MS);
    const settle = (): void => clearTimeout(timer);
    socket.once('close', settle);
    raw.once('end', () => {
      settle();
      socket.off('close', settle);
      closing.allow();
    });
    if (left < 0) stop();
  });
}

/** With `Connection: close` Node closes a connection as soon as the answer is written, over what its client still sends: only once that is allowed. */
function deferClosing(socket: Socket): { allow(): void } {
  let isWanted = false;
  socket.destroySoon = () => {
    isWanted = true;
  };
  return {
    allow: () => {
      // What stood before is the prototype's.
      Reflect.deleteProperty(socket, 'destroySoon');
      if (isWanted) socket.destroySoon();
    },
  };
}

function readOnBytes(request: FastifyRequest, sizes: BodySizes): number {
  if (request.headers['content-type']?.toLowerCase().startsWith('multipart/') === true) return READ_ON_UPLOAD_BYTES;
  return 2 * (request.routeOptions.config.body === 'import' ? IMPORT_BODY_BYTES : sizes.json);
}
