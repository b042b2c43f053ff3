import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { validationFailed } from '#libs/http';
import type { ContextRequest } from '#libs/tenancy';
import { TargetCheck } from './target-check.service.js';

/**
 * Refuses a body whose `url` leads to a forbidden address. This runs before the route because it calls a resolver, which must not happen in
 * the transaction that `Idempotency-Key` opens. A name that cannot be resolved at this time passes, because each attempt resolves it again.
 */
@Injectable()
export class TargetGuard implements CanActivate {
  constructor(private readonly targets: TargetCheck) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const { body } = context.switchToHttp().getRequest<ContextRequest>();
    const url = typeof body === 'object' && body !== null && 'url' in body ? body.url : undefined;
    // Problems of the URL itself are reported together with those of the other fields.
    if (typeof url !== 'string' || this.targets.findProblem(url) !== null) return true;
    const verdict = await this.targets.check(url);
    if (verdict.kind === 'refused') throw validationFailed([{ pointer: '/url', ...verdict.problem }]);
    return true;
  }
}
