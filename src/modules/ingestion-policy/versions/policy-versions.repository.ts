import { Injectable } from '@nestjs/common';
import type { AccountId, DatasetId } from '#libs/common';
import {
  Any,
  columnsOf,
  IsNull,
  LessThan,
  result,
  statement,
  TenantRepository,
  UnitOfWork,
  type TransactionContext,
} from '#libs/database';
import { DomainEvents } from '#libs/events';
import { POLICY_VERSION_CREATED } from '../ingestion-policy.events.js';
import type { RequestContext } from '#libs/tenancy';
import type { IngestionPolicy } from '../schema/ingestion-policy.entity.js';
import { PolicyVersionEntity, type PolicyVersionRow } from './policy-version.entity.js';

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

const LISTED = {
  version: true,
  fingerprint: true,
  author_id: true,
  comment: true,
  source_version: true,
  created_at: true,
  cleaned_up_at: true,
} as const;

const FIND_CURRENT = statement(
  columnsOf(
    PolicyVersionEntity,
    'version',
    'fingerprint',
    'author_id',
    'comment',
    'source_version',
    'policy',
    'created_at',
    'cleaned_up_at',
  ),
  `SELECT p.version, p.fingerprint, p.author_id, p.comment, p.source_version, p.policy, p.created_at, p.cleaned_up_at
   FROM policy_versions p JOIN datasets d ON d.id = p.dataset_id AND d.policy_version = p.version WHERE d.id = $1`,
);
const LIST_REMOVABLE = statement(
  { version: result.integer },
  `SELECT version FROM policy_versions
   WHERE dataset_id = $1 AND cleaned_up_at < now() - make_interval(secs => $2) ORDER BY version`,
);

/** Versions of ingestion policies; the content of a version never changes. */
@Injectable()
export class PolicyVersionsRepository extends TenantRepository {
  constructor(
    unitOfWork: UnitOfWork,
    private readonly events: DomainEvents,
  ) {
    super(unitOfWork);
  }

  /** The present version of a dataset; undefined when there is no such dataset. */
  async findCurrent(ctx: RequestContext, datasetId: string): Promise<PolicyVersionRow | undefined> {
    return this.queryOne(ctx, FIND_CURRENT, [datasetId]);
  }

  /** A version, even if it is no longer listed and only kept for its documents. */
  async findVersion(ctx: RequestContext, datasetId: DatasetId, version: number): Promise<PolicyVersionRow | undefined> {
    const found = await this.withRepository(ctx, PolicyVersionEntity, (rows) =>
      rows.findOneBy({ dataset_id: datasetId, version }),
    );
    return found ?? undefined;
  }

  /** The listed versions, newest first. */
  async list(
    ctx: RequestContext,
    datasetId: DatasetId,
    page: { readonly skip: number; readonly limit: number },
  ): Promise<{ items: ListedVersionRow[]; total: number }> {
    const listed = { dataset_id: datasetId, cleaned_up_at: IsNull() };
    return this.withRepository(ctx, PolicyVersionEntity, async (rows) => {
      const total = await rows.countBy(listed);
      const items = await rows.find({
        select: LISTED,
        where: listed,
        order: { version: 'DESC' },
        skip: page.skip,
        take: page.limit,
      });
      return { items, total };
    });
  }

  /** Every stored version, with its policy as stored. */
  async listPolicies(
    ctx: RequestContext,
    datasetId: DatasetId,
  ): Promise<Pick<PolicyVersionRow, 'version' | 'policy'>[]> {
    return this.withRepository(ctx, PolicyVersionEntity, (rows) =>
      rows.find({
        select: { version: true, policy: true },
        where: { dataset_id: datasetId },
        order: { version: 'ASC' },
      }),
    );
  }

  /** The policies of these versions, one for each dataset, in no particular order. */
  async listOf(
    ctx: RequestContext,
    datasets: readonly { readonly id: DatasetId; readonly policyVersion: number }[],
  ): Promise<Pick<PolicyVersionEntity, 'dataset_id' | 'version' | 'policy'>[]> {
    return this.withRepository(ctx, PolicyVersionEntity, (rows) =>
      rows.find({
        select: { dataset_id: true, version: true, policy: true },
        where: datasets.map(({ id, policyVersion }) => ({ dataset_id: id, version: policyVersion })),
      }),
    );
  }

  /** The transaction must have locked or created the dataset's row. */
  async add(ctx: TransactionContext, version: NewPolicyVersion): Promise<void> {
    await this.withRepository(ctx, PolicyVersionEntity, (rows) =>
      rows.insert({
        tenant_id: ctx.tenantId,
        dataset_id: version.datasetId,
        version: version.version,
        fingerprint: version.fingerprint,
        author_id: version.authorId,
        comment: version.comment,
        source_version: version.sourceVersion,
        policy: version.policy,
      }),
    );
    await this.events.publish(ctx, POLICY_VERSION_CREATED, [
      {
        dataset_id: version.datasetId,
        policy_version: version.version,
        fingerprint: version.fingerprint,
        source_version: version.sourceVersion,
        author_id: version.authorId,
      },
    ]);
  }

  /** Removes the versions before `oldestKept` from the list; they stay readable for documents that refer to them. */
  async unlist(ctx: RequestContext, datasetId: DatasetId, oldestKept: number): Promise<void> {
    await this.withRepository(ctx, PolicyVersionEntity, (rows) =>
      rows.update(
        { dataset_id: datasetId, version: LessThan(oldestKept), cleaned_up_at: IsNull() },
        { cleaned_up_at: () => 'now()' },
      ),
    );
  }

  /** Versions that were removed from the list so long ago that every upload that began under them has ended. */
  async listRemovable(ctx: RequestContext, datasetId: DatasetId, graceSeconds: number): Promise<number[]> {
    const rows = await this.query(ctx, LIST_REMOVABLE, [datasetId, graceSeconds]);
    return rows.map((row) => row.version);
  }

  async remove(ctx: RequestContext, datasetId: DatasetId, versions: readonly number[]): Promise<void> {
    await this.withRepository(ctx, PolicyVersionEntity, (rows) =>
      rows.delete({ dataset_id: datasetId, version: Any(versions) }),
    );
  }
}
