import { Injectable } from '@nestjs/common';
import { defineErrors } from '#libs/common';
import { Settings } from '#libs/config';
import { result, statement, TenantRepository, UnitOfWork, type TransactionContext } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { TenantBytes } from '../../usage/index.js';

export const tenantStorageErrors = defineErrors('documents', {
  tenant_storage_exceeded: {
    status: 409,
    title: 'Storage of the tenant used up',
    detail: (f: { used: number; limit: number; needed: number }) =>
      `The file has ${f.needed} bytes, but the tenant already uses ${f.used} of its ${f.limit} bytes of storage. Delete documents, or ask the operator for more.`,
  },
});

const SUM_BYTES = statement(
  { bytes: result.float },
  `SELECT coalesce(sum(r.size_bytes), 0)::float8 AS bytes FROM document_revisions r
   JOIN documents d ON d.id = r.document_id WHERE d.deleted_at IS NULL`,
);
const LOCK = statement(
  { pg_advisory_xact_lock: result.nothing },
  `SELECT pg_advisory_xact_lock(hashtextextended('storage:' || $1, 4))`,
);

/** Storage that a tenant has left; files are subtracted one after another. */
export class TenantRoom {
  constructor(
    private used: number,
    private readonly limit: number,
  ) {}

  /** @throws `documents.tenant_storage_exceeded`, with nothing taken */
  take(sizeBytes: number): void {
    if (this.limit > 0 && this.used + sizeBytes > this.limit) {
      const facts = { used: this.used, limit: this.limit, needed: sizeBytes };
      const figures = { used_bytes: this.used, limit_bytes: this.limit, needed_bytes: sizeBytes };
      throw tenantStorageErrors.tenant_storage_exceeded(facts, { figures });
    }
    this.used += sizeBytes;
  }
}

/** Size of a tenant's originals in bytes: all revisions of documents that are not deleted. */
@Injectable()
export class TenantStorage extends TenantRepository implements TenantBytes {
  constructor(
    unitOfWork: UnitOfWork,
    private readonly settings: Settings,
  ) {
    super(unitOfWork);
  }

  async sum(ctx: RequestContext): Promise<number> {
    return (await this.queryOne(ctx, SUM_BYTES))?.bytes ?? 0;
  }

  /** If there is a limit, uploads of one tenant wait here for each other until the transaction ends, so that each is counted. */
  async room(ctx: TransactionContext): Promise<TenantRoom> {
    const limit = this.settings.values.tenantStorageBytes;
    if (limit === 0) return new TenantRoom(0, 0);
    await this.query(ctx, LOCK, [ctx.tenantId]);
    return new TenantRoom(await this.sum(ctx), limit);
  }

  /** Refuses a file that exceeds the remaining storage, before it is received. @throws `documents.tenant_storage_exceeded` */
  async requireRoom(ctx: RequestContext, sizeBytes: number): Promise<void> {
    const limit = this.settings.values.tenantStorageBytes;
    if (limit > 0) new TenantRoom(await this.sum(ctx), limit).take(sizeBytes);
  }
}
