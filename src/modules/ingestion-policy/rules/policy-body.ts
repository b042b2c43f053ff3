import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { httpErrors } from '#libs/http';

/**
 * The JSON body as it was sent: a policy has a validation of its own, with other answers than the rest of the interface.
 * @throws `http.malformed_json` when there is none
 */
export const PolicyBody = createParamDecorator((_data: unknown, context: ExecutionContext): unknown => {
  const { body } = context.switchToHttp().getRequest<{ body: unknown }>();
  if (body === undefined) throw httpErrors.malformed_json({ reason: 'it is empty' });
  return body;
});
