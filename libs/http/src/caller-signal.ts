import type { FastifyReply } from 'fastify';

/**
 * Fires when the caller leaves before the answer is sent. Fastify's own `request.signal` is of no use for this: it fires as
 * soon as the body has been read.
 */
export function callerSignal(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) gone.abort();
  });
  return gone.signal;
}
