import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import { Logger } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { SettingsValues } from '#libs/config';
import { consolePage, consolePolicy, rootOf, type ConsoleContents } from './console-page.js';

/** Where the console's scripts and styles are. Their names change with their content. */
export const CONSOLE_PATH = '/console';
/** Beside `dist/src`. */
const BUILT = fileURLToPath(new URL('../../console/', import.meta.url));
/** Paths that belong to programs: below them what is missing is an error in JSON, no matter who asks. */
const OF_PROGRAMS = ['/api', '/docs', '/mcp', '/metrics', CONSOLE_PATH];
const NONCE_BYTES = 16;
const YEAR_SECONDS = 31_536_000;

/**
 * The console: its page at `/` and at each path of a browser that no route has (GET with `Accept: text/html`), its files below `/console/`.
 * `folder` is where it was built to. Resolves to whether it is served.
 */
export async function serveConsole(
  fastify: FastifyInstance,
  settings: Pick<SettingsValues, 'console'>,
  folder = BUILT,
): Promise<boolean> {
  if (settings.console === 'off') return false;
  const contents = await readContents(folder);
  if (contents === undefined) {
    new Logger('Console').warn({ event: 'console.not_built', folder });
    return false;
  }
  const served = new Set(contents.files.map((name) => `/${name}`));
  await fastify.register(fastifyStatic, {
    root: folder,
    prefix: `${CONSOLE_PATH}/`,
    allowedPath: (path) => served.has(path),
    decorateReply: false,
    index: false,
    preCompressed: true,
    immutable: true,
    maxAge: YEAR_SECONDS * 1000,
  });
  const send = (request: FastifyRequest, reply: FastifyReply): FastifyReply => sendPage(contents, request, reply);
  fastify.get('/', send);
  fastify.addHook('onRequest', async (request, reply) => {
    if (isForPeople(request)) return send(request, reply);
    return undefined;
  });
  return true;
}

/** Undefined where the console was not built, as with sources that are run without a build. */
async function readContents(folder: string): Promise<ConsoleContents | undefined> {
  try {
    return JSON.parse(await readFile(`${folder}console.json`, 'utf8')) as ConsoleContents;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function sendPage(contents: ConsoleContents, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const nonce = randomBytes(NONCE_BYTES).toString('base64');
  return reply
    .header('Content-Security-Policy', consolePolicy(nonce))
    .header('Cache-Control', 'no-store')
    .header('Vary', 'Accept')
    .type('text/html; charset=utf-8')
    .send(consolePage(contents, `${rootOf(pathOf(request))}${CONSOLE_PATH.slice(1)}/`, nonce));
}

/** Whether a browser asks for a page of the console by its address. */
function isForPeople(request: FastifyRequest): boolean {
  if (!request.is404 || (request.method !== 'GET' && request.method !== 'HEAD')) return false;
  const path = pathOf(request);
  if (OF_PROGRAMS.some((taken) => path === taken || path.startsWith(`${taken}/`))) return false;
  return acceptsHtml(request.headers.accept);
}

function pathOf(request: FastifyRequest): string {
  return request.url.split('?', 1)[0] ?? request.url;
}

/** Browsers name HTML when someone opens an address; programs say `*` `/` `*` or nothing. */
function acceptsHtml(accept = ''): boolean {
  return accept.split(',').some((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    return type === 'text/html' && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  });
}
