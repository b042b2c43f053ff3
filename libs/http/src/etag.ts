import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { applyDecorators } from '@nestjs/common';
import { ApiHeader, ApiResponse } from '@nestjs/swagger';
import type { FastifyInstance } from 'fastify';
import { canonicalJson } from '#libs/common';
import { httpErrors } from './http.errors.js';

const DIGEST_LENGTH = 22;
/** An entity tag with its version: `W/"7.digest"`, or `"7"` as in former versions of the service. */
const TAG = /^(?:W\/)?"(\d+)(?:\.[\w-]*)?"$/;

/** The entity tag of a version and the shown content: equal tags mean equal content. */
export function etagOf(version: number, shown: unknown): string {
  const digest = createHash('sha256').update(canonicalJson(shown)).digest('base64url').slice(0, DIGEST_LENGTH);
  return `W/"${version}.${digest}"`;
}

/**
 * Throws 412 unless `If-Match` is absent, `*`, or names the current version. Only the version counts, since a change cannot overwrite other parts
 * of a record, such as its number of documents.
 */
export function requireMatch(ifMatch: string | undefined, version: number): void {
  if (ifMatch === undefined || ifMatch.trim() === '' || ifMatch.trim() === '*') return;
  const named = ifMatch.split(',').map((tag) => TAG.exec(tag.trim())?.[1]);
  if (!named.includes(String(version))) throw httpErrors.precondition_failed({ current: String(version) });
}

/** Answers 304 without a body where `If-None-Match` names the entity tag of the whole answer. */
export function answerNotModified(fastify: FastifyInstance): void {
  fastify.addHook('onSend', async ({ method, headers }, reply, payload: unknown) => {
    const tag = reply.getHeader('etag');
    const asked = headers['if-none-match'];
    const reads = method === 'GET' || method === 'HEAD';
    if (!reads || reply.statusCode !== 200 || asked === undefined || typeof tag !== 'string') return payload;
    if (!namesTag(asked, tag)) return payload;
    if (payload instanceof Readable) payload.destroy();
    void reply
      .status(304)
      .removeHeader('content-length')
      .removeHeader('content-type')
      .removeHeader('content-disposition');
    return null;
  });
}

function namesTag(ifNoneMatch: string, tag: string): boolean {
  if (ifNoneMatch.trim() === '*') return true;
  const opaque = (one: string): string => one.trim().replace(/^W\//, '');
  return ifNoneMatch.split(',').some((one) => opaque(one) === opaque(tag));
}

/** Describes a route whose responses have an entity tag. */
export const DescribeEntityTag = (): MethodDecorator =>
  applyDecorators(
    ApiHeader({
      name: 'If-None-Match',
      required: false,
      description:
        'Entity tag of the copy that the client has; the response is 304 without a body while this copy is up to date.',
      schema: { type: 'string' },
    }),
    ApiResponse({ status: 304, description: 'The copy that the client has is up to date.' }),
  );
