import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { SettingsValues } from '#libs/config';
import { Metrics } from '#libs/metrics';

const NO_ROUTE = 'none';
/** As `GET /health` of the API says it. */
const ALIVE = JSON.stringify({ ok: true, status: 'ok' });

/** Counts every answered request, and lets `METRICS_TOKEN` read the metrics' route. */
export function serveMetrics(fastify: FastifyInstance, path: string, settings: SettingsValues, metrics: Metrics): void {
  fastify.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? NO_ROUTE;
    metrics.observeRequest(request.method, route, reply.statusCode, reply.elapsedTime / 1000);
  });
  const { metricsToken } = settings;
  if (metricsToken === undefined) return;
  const wanted = digest(metricsToken);
  fastify.addHook('onRequest', async (request, reply) => {
    if (request.method !== 'GET' || request.routeOptions.url !== path) return;
    const given = /^bearer +(.*)$/i.exec(request.headers.authorization ?? '')?.[1]?.trim();
    if (given === undefined || !timingSafeEqual(digest(given), wanted)) return;
    await reply.type(metrics.contentType).send(await metrics.text());
  });
}

/**
 * `GET /metrics` on a port of its own, for networks that only the scraper reaches; undefined when there is none. `livenessPath` answers there
 * too: a worker has no other address that a probe could ask.
 */
export async function listenForMetrics(
  settings: SettingsValues,
  metrics: Metrics,
  livenessPath: string,
): Promise<Server | undefined> {
  if (settings.metricsPort === 0) return undefined;
  const server = createServer((request, response) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const path = request.url?.split('?', 1)[0];
    if (isRead && path === '/metrics') {
      metrics.text().then(
        (text) => response.writeHead(200, { 'Content-Type': metrics.contentType }).end(text),
        () => response.writeHead(503, { 'Retry-After': '5' }).end(),
      );
    } else if (isRead && path === livenessPath) {
      response.writeHead(200, { 'Content-Type': 'application/json; charset=utf-8' }).end(ALIVE);
    } else response.writeHead(404).end();
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(settings.metricsPort, settings.host, resolve);
  });
  return server;
}

/** Where the metrics are listened for. */
export function metricsUrl(server: Server): string {
  const { address, port, family } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}/metrics`;
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
