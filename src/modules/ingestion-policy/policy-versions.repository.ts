import { Injectable } from '@nestjs/common';
import type { AccountId, DatasetId } from '#libs/common';
import { TenantRepository, UnitOfWork } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import type { IngestionPolicy, PolicyVersionRow } from './ingestion-policy.entity.js';

export interface NewPolicyVersion {
  readonly datasetId: DatasetId;
  readonly version: number;
  readonly fingerprint: string;
  readonly authorId: AccountId | null;
  readonly comment: string | null;
  readonly sourceVersion: number | null;
  readonly policy: IngestionPolicy;
}

/** A version without its policy. */
export type ListedVersionRow = Omit<PolicyVersionRow, 'policy'>;

const LISTED = 'p.version, p.fingerprint, p.author_id, p.comment, p.source_version, p.created_at, p.cleaned_up_at';

/** Versions of ingestion policies; a version's content never changes once it is written. */
@Injectable()
export class PolicyVersionsRepository extends TenantRepository {
  constructor(unitOfWork: UnitOfWork) {
    super(unitOfWork);
  }

  /** The version that the dataset points at; undefined when there is no such dataset. */
  async findCurrent(ctx: RequestContext, datasetId: string): Promise<PolicyVersionRow | undefined> {
    return this.queryOne<PolicyVersionRow>(
      ctx,
      `SELECT ${LISTED}, p.policy FROM policy_versions p
       JOIN datasets d ON d.id = p.dataset_id AND d.policy_version = p.version WHERE d.id = $1`,
      [datasetId],
    );
  }

  /** A version, whether it is listed or only kept for its documents. */
  async findVersion(ctx: RequestContext, datasetId: string, version: number): Promise<PolicyVersionRow | undefined> {
    return this.queryOne<PolicyVersionRow>(
      ctx,
      `SELECT ${LISTED}, p.policy FROM policy_versions p WHERE p.dataset_id = $1 AND p.version = $2`,
      [datasetId, version],
    );
  }

  /** The listed versions, newest first. */
  async list(
    ctx: RequestContext,
    datasetId: DatasetId,
    page: { readonly skip: number; readonly limit: number },
  ): Promise<{ items: ListedVersionRow[]; total: number }> {
    const from = `FROM policy_versions p WHERE p.dataset_id = $1 AND p.cleaned_up_at IS NULL`;
    return this.unitOfWork.run(ctx, async (_manager, inner) => {
      const count = await this.queryOne<{ n: number }>(inner, `SELECT count(*)::int AS n ${from}`, [datasetId]);
      const items = await this.query<ListedVersionRow>(
        inner,
        `SELECT ${LISTED} ${from} ORDER BY p.version DESC LIMIT $2 OFFSET $3`,
        [datasetId, page.limit, page.skip],
      );
      return { items, total: count?.n ?? 0 };
    });
  }

  /** The versions that hold the same policy as `fingerprint` names. */
  async findAlike(ctx: RequestContext, datasetId: DatasetId, fingerprint: string): Promise<number[]> {
    const rows = await this.query<{ version: number }>(
      ctx,
      `SELECT version FROM policy_versions WHERE dataset_id = $1 AND fingerprint = $2 ORDER BY version`,
      [datasetId, fingerprint],
    );
    return rows.map((row) => row.version);
  }

  async add(ctx: RequestContext, version: NewPolicyVersion): Promise<void> {
    await this.query(
      ctx,
      `INSERT INTO policy_versions (tenant_id, dataset_id, version, fingerprint, author_id, comment, source_version, policy)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [
        ctx.tenantId,
        version.datasetId,
        version.version,
        version.fingerprint,
        version.authorId,
        version.comment,
        version.sourceVersion,
        JSON.stringify(version.policy),
      ],
    );
  }

  /** Takes the versions before `oldestKept` from the list; they stay readable for the documents that refer to them. */
  async unlist(ctx: RequestContext, datasetId: DatasetId, oldestKept: number): Promise<void> {
    await this.query(
      ctx,
      `UPDATE policy_versions SET cleaned_up_at = now() WHERE dataset_id = $1 AND version < $2 AND cleaned_up_at IS NULL`,
      [datasetId, oldestKept],
    );
  }

  /** Versions that left the list so long ago that no upload that began with them can still be under way. */
  async listRemovable(ctx: RequestContext, datasetId: DatasetId, graceSeconds: number): Promise<number[]> {
    const rows = await this.query<{ version: number }>(
      ctx,
      `SELECT version FROM policy_versions
       WHERE dataset_id = $1 AND cleaned_up_at < now() - make_interval(secs => $2) ORDER BY version`,
      [datasetId, graceSeconds],
    );
    return rows.map((row) => row.version);
  }

  async remove(ctx: RequestContext, datasetId: DatasetId, versions: readonly number[]): Promise<void> {
    await this.query(ctx, `DELETE FROM policy_versions WHERE dataset_id = $1 AND version = ANY ($2::int[])`, [
      datasetId,
      versions,
    ]);
  }
}
