import type { RequestContext } from '#libs/tenancy';
import type { ContentGuard } from './document-revision.entity.js';
import { documentErrors } from '../documents.errors.js';

/**
 * Who lacks `governance:read` gets nothing of an original that may hold what the policy hides or refuses.
 * @throws `documents.content_guarded`
 */
export function requireUnguarded(ctx: RequestContext, guard: ContentGuard | null): void {
  if (guard === null || ctx.principal.kind === 'system') return;
  if (!ctx.principal.permissions.has('governance:read')) throw documentErrors.content_guarded({});
}
