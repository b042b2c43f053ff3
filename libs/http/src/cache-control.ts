import type { FastifyInstance } from 'fastify';

/** No one keeps the answer: it holds texts, files or secrets of anyone who asked. */
export const NEVER_KEPT = 'private, no-store';
/** The asker alone keeps it, and asks before each use whether its entity tag is still the one. */
const ASKED_AGAIN = 'private, no-cache';

/**
 * Sets Cache-Control on every response: `private, no-store`, or `private, no-cache` where it has an entity tag. A route that needs another rule
 * sets the header itself, as streams do. Responses below `openPaths`, which are the same for all callers, keep their own headers.
 */
export function forbidCaching(fastify: FastifyInstance, openPaths: readonly string[]): void {
  fastify.addHook('onSend', async (request, reply, payload: unknown) => {
    const [path = ''] = request.url.split('?', 1);
    const isOpen = reply.statusCode < 400 && openPaths.some((open) => path === open || path.startsWith(`${open}/`));
    if (isOpen || reply.hasHeader('cache-control')) return payload;
    void reply.header('Cache-Control', reply.hasHeader('etag') ? ASKED_AGAIN : NEVER_KEPT);
    return payload;
  });
}
