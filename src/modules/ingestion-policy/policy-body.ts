import { createParamDecorator, type ExecutionContext } from '@nestjs/common';

/** The JSON body as it was sent: a policy has a validation of its own, with other answers than the rest of the interface. */
export const PolicyBody = createParamDecorator(
  (_data: unknown, context: ExecutionContext): unknown => context.switchToHttp().getRequest<{ body: unknown }>().body,
);
