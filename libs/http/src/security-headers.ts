import helmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';

/** Answers are data: nothing of them may run, load anything or be framed. */
const DATA_POLICY = { 'default-src': ["'none'"], 'frame-ancestors': ["'none'"] };
/** Swagger UI: its own scripts, its inline styles and icons, and calls of this service. */
const PAGE_POLICY = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'self'",
  "form-action 'self'",
  "object-src 'none'",
  "frame-ancestors 'none'",
].join(';');

/**
 * Security headers of every response, errors included: Content-Security-Policy, `nosniff`, Referrer-Policy, no framing. `pagePath` is the path of
 * Swagger UI. Strict-Transport-Security is left to the server that terminates TLS.
 */
export async function setSecurityHeaders(fastify: FastifyInstance, pagePath: string): Promise<void> {
  await fastify.register(helmet, {
    contentSecurityPolicy: { useDefaults: false, directives: DATA_POLICY },
    crossOriginResourcePolicy: { policy: 'cross-origin' },
    strictTransportSecurity: false,
    xFrameOptions: { action: 'deny' },
  });
  fastify.addHook('onRequest', async (request, reply) => {
    const [path = ''] = request.url.split('?', 1);
    if (path === pagePath || path.startsWith(`${pagePath}/`)) {
      void reply.header('Content-Security-Policy', PAGE_POLICY);
    }
  });
}
