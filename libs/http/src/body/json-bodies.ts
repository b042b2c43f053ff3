import { isUtf8 } from 'node:buffer';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { unreadableJson } from '../early-refusals.js';
import { httpErrors } from '../http.errors.js';
import { JSON_DEPTH_MAX } from '../validation.js';
import { bodyBytesOf, type BodySizes } from './body-size.js';
import { JsonScanner, type JsonBounds } from './json-scanner.js';
import { readBody } from './read-body.js';
import { runInThread, ThreadEnded } from './run-in-thread.js';
import type { ParsedJson } from './json-thread.js';

const PROGRAM = new URL(`./json-thread.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`, import.meta.url);

export interface JsonBodyRules extends BodySizes {
  /** Most values of a body. */
  readonly values: number;
  /** In how many seconds a body must have arrived. */
  readonly seconds: number;
}

/** JSON, and merge patches (RFC 7396), which are read like it. */
const MEDIA_TYPES = ['application/json', 'application/merge-patch+json'];

/** Has JSON bodies read within their bounds, which are counted while the bytes arrive. */
export function readJsonBodies(fastify: FastifyInstance, rules: JsonBodyRules): void {
  const parse = fastify.getDefaultJsonParser('error', 'error');
  fastify.removeContentTypeParser(['application/json', 'text/plain']);
  fastify.addContentTypeParser(MEDIA_TYPES, async (request: FastifyRequest) => {
    const bytes = await readJson(request, rules);
    // No body is none: many clients send the type with every request.
    if (bytes.length === 0) return undefined;
    if (bytes.length > rules.json) return parseImport(bytes);
    if (!isUtf8(bytes)) throw httpErrors.malformed_json({ reason: 'it is not in UTF-8' });
    const text = bytes.toString('utf8');
    return new Promise((resolve, reject) => {
      void parse(request, text, (error, value) => (error ? reject(unreadableJson(text)) : resolve(value)));
    });
  });
}

function readJson(request: FastifyRequest, rules: JsonBodyRules): Promise<Buffer> {
  const bounds: JsonBounds = { values: rules.values, depth: JSON_DEPTH_MAX };
  const scanner = new JsonScanner(bounds);
  const length = request.headers['content-length'];
  return readBody(
    request.raw,
    length === undefined ? undefined : Number(length),
    { bytes: bodyBytesOf(request, rules), seconds: rules.seconds },
    (piece) => {
      const exceeded = scanner.scan(piece);
      if (exceeded === 'values') throw httpErrors.too_many_values({ limit: bounds.values });
      if (exceeded === 'depth') throw httpErrors.nested_too_deeply({ limit: bounds.depth });
    },
  );
}

/** The value of a large JSON text, parsed in a thread of its own. @throws `http.malformed_json`, `http.parsing_failed` */
async function parseImport(bytes: Buffer): Promise<unknown> {
  const parsed = await runInThread<ParsedJson>(PROGRAM, bytes).catch((error: unknown) => {
    if (error instanceof ThreadEnded) throw httpErrors.parsing_failed({ reason: error.message }, { cause: error });
    throw error;
  });
  if (parsed.reason !== undefined) throw httpErrors.malformed_json({ reason: parsed.reason });
  return parsed.value;
}
