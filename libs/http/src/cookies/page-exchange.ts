import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { findCookie, formatCookie, type HttpOnlyCookie } from './cookie.js';

/** The cookies and the origin of a request from a browser. No other code reads or sets cookies. */
export interface PageExchange {
  /** Where the page is from; undefined where the request does not say, as those of programs. */
  readonly origin: string | undefined;
  /** The browser says that the page is of the origin that it asks. No page can say that itself. */
  readonly isSameOrigin: boolean;
  readonly protocol: string;
  /** Name or address with its port, as `Host` has it. */
  readonly host: string;
  readCookie(name: string): string | undefined;
  /** Sets a cookie with the answer, if it is none of an error. */
  setCookie(cookie: HttpOnlyCookie): void;
  /** The answer is 204: there is nothing to say. */
  answerNothing(): void;
}

/** The page that sent the request. */
export const FromPage = createParamDecorator((_data: unknown, context: ExecutionContext): PageExchange => {
  const http = context.switchToHttp();
  return pageOf(http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>());
});

function pageOf({ headers, protocol, host }: FastifyRequest, reply: FastifyReply): PageExchange {
  return {
    origin: headers.origin,
    isSameOrigin: headers['sec-fetch-site'] === 'same-origin',
    protocol,
    host,
    readCookie: (name) => findCookie(headers.cookie, name),
    setCookie: (cookie) => void reply.header('Set-Cookie', formatCookie(cookie)),
    answerNothing: () => void reply.status(204),
  };
}

/** Whether the page is the service's own: of the address that an operator gave, or of the one that it asks. */
export function isOwnPage(page: PageExchange, publicUrl: string | undefined): boolean {
  const { origin, protocol, host } = page;
  if (origin === undefined) return false;
  const isNamed = publicUrl !== undefined && origin === new URL(publicUrl).origin;
  return isNamed || page.isSameOrigin || origin === `${protocol}://${host}`;
}
