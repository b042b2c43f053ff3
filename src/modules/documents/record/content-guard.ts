import type { RequestContext } from '#libs/tenancy';
import type { ContentGuard } from './document-revision.entity.js';
import { documentErrors } from '../documents.errors.js';

/**
 * Refuses an original that may contain what the policy masks or rejects to callers without `governance:read`.
 * @throws `documents.content_guarded`
 */
export function requireUnguarded(ctx: RequestContext, guard: ContentGuard | null): void {
  if (guard === null || ctx.principal.kind === 'system') return;
  if (!ctx.principal.permissions.has('governance:read')) throw documentErrors.content_guarded({});
}
