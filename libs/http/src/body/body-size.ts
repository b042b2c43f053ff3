import { ApiExtension } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { RouteFact, type IdentifiedRequest } from '#libs/tenancy';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What the route takes instead of an ordinary JSON body. */
    body?: 'import';
  }
}

/** Bytes of a body from anyone who has no accepted credential, and on the routes that give credentials out. */
export const SMALL_BODY_BYTES = 64 * 1024;
/** Bytes of a file or document that is imported. */
export const IMPORT_BODY_BYTES = 8 * 1024 * 1024;

/** Bytes of a text field of a form. */
export const FIELD_BYTES = 256 * 1024;
/** Bytes of all text fields of a form together. */
export const FIELDS_BYTES = 1024 * 1024;

/** Marks a route that accepts an exported document of up to 8 MiB; one larger than the limit of other bodies is parsed in a thread of its own. */
export const ImportBody = (): MethodDecorator & ClassDecorator => RouteFact('body', 'import');

/** Extension of an operation in the description: media types that its body may have beside JSON, with their schemas. */
export const FURTHER_BODIES_EXTENSION = 'x-further-bodies';

/** Describes the media types that a route accepts instead of JSON. A content type parser reads them. */
export const DescribeFurtherBodies = (schemas: Readonly<Record<string, object>>): MethodDecorator & ClassDecorator =>
  ApiExtension(FURTHER_BODIES_EXTENSION, schemas);

export interface BodySizes {
  /** Bytes of an ordinary JSON body. */
  readonly json: number;
  /** Beginning of the paths whose bodies are always small. */
  readonly smallUnder: string;
}

/** Most bytes of the body of this request. */
export function bodyBytesOf(request: FastifyRequest & IdentifiedRequest, sizes: BodySizes): number {
  const isSmall = request.kbIdentity === undefined || request.routeOptions.url?.startsWith(sizes.smallUnder) === true;
  if (isSmall) return Math.min(SMALL_BODY_BYTES, sizes.json);
  return request.routeOptions.config.body === 'import' ? Math.max(IMPORT_BODY_BYTES, sizes.json) : sizes.json;
}
