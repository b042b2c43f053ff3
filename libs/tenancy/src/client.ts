import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

/** Where a request comes from, no matter who sent it. */
export interface Client {
  /** Address of the sender; behind a proxy that TRUST_PROXY names, the one that the proxy reports. */
  readonly address: string;
  readonly requestId: string;
  /** What the program of the sender calls itself, as it was sent. */
  readonly userAgent?: string;
}

/** The sender of the request, for routes where no one is known yet. */
export const FromClient = createParamDecorator((_data: unknown, context: ExecutionContext): Client => {
  return clientOf(context.switchToHttp().getRequest<FastifyRequest>());
});

export function clientOf(request: FastifyRequest): Client {
  const userAgent = request.headers['user-agent'];
  return { address: request.ip, requestId: String(request.id), ...(userAgent === undefined ? {} : { userAgent }) };
}
