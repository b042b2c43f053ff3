import { Injectable } from '@nestjs/common';
import { isUuid, newId, NOWHERE_TENANT, type ApiKeyId, type DatasetId, type FieldProblem } from '#libs/common';
import { AuditLog, UnitOfWork } from '#libs/database';
import { validationFailed } from '#libs/http';
import { authErrors, RefusedCredentials, type RequestContext } from '#libs/tenancy';
import type { ApiKeyRow } from '../record/api-key.entity.js';
import { accountErrors } from '../accounts.errors.js';
import { actingAccount } from '../record/acting-account.js';
import { makeApiKeySecret } from './api-key-secret.js';
import { ApiKeysRepository } from './api-keys.repository.js';
import { DatasetVisibilityPort } from '../record/dataset-visibility.port.js';
import type { ApiKey, ApiKeyPage, CreateApiKeyDto, CreatedApiKey } from './api-key.dto.js';
import type { ListPage } from '../record/list-order.repository.js';
import { holdsAllOf } from '../record/member-rights.js';

/** API keys of the account in the tenant that it acts in. */
@Injectable()
export class ApiKeysService {
  constructor(
    private readonly keys: ApiKeysRepository,
    private readonly datasets: DatasetVisibilityPort,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditLog,
    private readonly refusals: RefusedCredentials,
  ) {}

  /**
   * Creates a key; its secret is only in this answer. @throws `auth.not_a_member`, `datasets.not_found`, 422 for rights beyond the
   * account's own
   */
  async create(ctx: RequestContext, wanted: CreateApiKeyDto): Promise<CreatedApiKey> {
    if (ctx.tenantId === NOWHERE_TENANT) throw authErrors.not_a_member({});
    const problems = [...findRightsBeyondOwn(ctx, wanted), ...findPastExpiry(wanted)];
    if (problems.length > 0) throw validationFailed(problems);
    const datasetIds = wanted.dataset_ids ? distinct<DatasetId>(wanted.dataset_ids) : null;
    const id = newId<ApiKeyId>();
    const secret = makeApiKeySecret(id);
    const made = await this.unitOfWork.run(ctx, async (_manager, inner) => {
      if (datasetIds !== null) await this.datasets.assertVisible(inner, datasetIds);
      const row = await this.keys.insert(inner, {
        id,
        accountId: actingAccount(inner),
        name: wanted.name,
        secretHash: secret.hash,
        role: wanted.role ?? null,
        scopes: [...new Set(wanted.scopes)],
        datasetIds,
        expiresAt: typeof wanted.expires_at === 'string' ? new Date(wanted.expires_at) : null,
      });
      await this.audit.append(inner, {
        event: 'api_key.created',
        subject: `api_key:${id}`,
        details: { role: row.role, scopes: [...row.scopes], dataset_ids: datasetIds === null ? null : [...datasetIds] },
      });
      return { ...toApiKey(row), secret: secret.key };
    });
    await this.refusals.noteAccepted(secret.key);
    return made;
  }

  /** The account's own keys of the tenant. */
  async list(ctx: RequestContext, page: ListPage): Promise<ApiKeyPage> {
    const found = await this.keys.listOfAccount(ctx, actingAccount(ctx), page);
    return { ...found, items: found.items.map(toApiKey) };
  }

  /**
   * Deletes a key, which stops working at once: a key of the account, or any key of the tenant if the caller may manage its members.
   * @throws `accounts.api_key_not_found`
   */
  async remove(ctx: RequestContext, id: string): Promise<void> {
    if (!isUuid(id)) throw accountErrors.api_key_not_found({});
    const anyAccount = ctx.principal.permissions.has('members:manage');
    await this.unitOfWork.run(ctx, async (_manager, inner) => {
      const removed = await this.keys.remove(inner, id as ApiKeyId, anyAccount ? null : actingAccount(inner));
      if (!removed) throw accountErrors.api_key_not_found({});
      await this.audit.append(inner, { event: 'api_key.deleted', subject: `api_key:${id.toLowerCase()}` });
    });
  }
}

/**
 * A key may be given only permissions that its account has now. At requests it never has more anyway, but a request for more is an error
 * worth reporting.
 */
function findRightsBeyondOwn(ctx: RequestContext, wanted: CreateApiKeyDto): FieldProblem[] {
  const held = ctx.principal.permissions;
  const problems: FieldProblem[] = wanted.scopes.flatMap((scope, index) =>
    held.has(scope)
      ? []
      : [
          {
            pointer: `/scopes/${index}`,
            code: 'beyond_own_rights',
            detail: `${scope} is not among your own permissions`,
          },
        ],
  );
  if (typeof wanted.role === 'string' && !holdsAllOf(ctx, wanted.role)) {
    const detail = `the role ${wanted.role} has permissions that you do not have in this tenant`;
    problems.push({ pointer: '/role', code: 'beyond_own_rights', detail });
  }
  return problems;
}

function findPastExpiry(wanted: CreateApiKeyDto): FieldProblem[] {
  if (typeof wanted.expires_at !== 'string' || new Date(wanted.expires_at).getTime() > Date.now()) return [];
  return [{ pointer: '/expires_at', code: 'in_the_future', detail: 'must be in the future' }];
}

function distinct<Id extends string>(ids: readonly string[]): Id[] {
  return [...new Set(ids.map((id) => id.toLowerCase() as Id))];
}

function toApiKey(row: ApiKeyRow): ApiKey {
  return {
    id: row.id,
    name: row.name,
    role: row.role,
    scopes: [...row.scopes],
    dataset_ids: row.dataset_ids === null ? null : [...row.dataset_ids],
    expires_at: row.expires_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    last_used_at: row.last_used_at?.toISOString() ?? null,
  };
}
