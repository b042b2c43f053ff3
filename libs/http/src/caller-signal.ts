import type { FastifyReply } from 'fastify';

/**
 * A signal that is aborted when the caller disconnects before the response is sent. Fastify's own `request.signal` does not serve: it is aborted
 * as soon as the body has been read.
 */
export function callerSignal(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) gone.abort();
  });
  return gone.signal;
}
