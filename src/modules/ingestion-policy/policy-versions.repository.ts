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
  readonly policy: IngestionPolicy;
}

const COLUMNS = 'p.version, p.fingerprint, p.author_id, p.comment, p.policy, p.created_at';

/** Versions of ingestion policies; a version never changes once it is written. */
@Injectable()
export class PolicyVersionsRepository extends TenantRepository {
  constructor(unitOfWork: UnitOfWork) {
    super(unitOfWork);
  }

  /** The version that the dataset points at; undefined when there is no such dataset. */
  async findCurrent(ctx: RequestContext, datasetId: string): Promise<PolicyVersionRow | undefined> {
    return this.queryOne<PolicyVersionRow>(
      ctx,
      `SELECT ${COLUMNS} FROM policy_versions p JOIN datasets d ON d.id = p.dataset_id AND d.policy_version = p.version
       WHERE d.id = $1`,
      [datasetId],
    );
  }

  async findVersion(ctx: RequestContext, datasetId: string, version: number): Promise<PolicyVersionRow | undefined> {
    return this.queryOne<PolicyVersionRow>(
      ctx,
      `SELECT ${COLUMNS} FROM policy_versions p WHERE p.dataset_id = $1 AND p.version = $2`,
      [datasetId, version],
    );
  }

  async add(ctx: RequestContext, version: NewPolicyVersion): Promise<void> {
    await this.query(
      ctx,
      `INSERT INTO policy_versions (tenant_id, dataset_id, version, fingerprint, author_id, policy)
       VALUES ($1, $2, $3, $4, $5, $6)`,
      [
        ctx.tenantId,
        version.datasetId,
        version.version,
        version.fingerprint,
        version.authorId,
        JSON.stringify(version.policy),
      ],
    );
  }
}
