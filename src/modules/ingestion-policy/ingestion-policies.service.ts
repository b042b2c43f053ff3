import { Injectable } from '@nestjs/common';
import type { DatasetId } from '#libs/common';
import type { TransactionContext } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { datasetErrors, DatasetAccess, DatasetCreationStep } from '../datasets/index.js';
import type { IngestionPolicyVersion } from './dto/ingestion-policy.dto.js';
import { DEFAULT_POLICY, type IngestionPolicy, type PolicyVersionRow } from './ingestion-policy.entity.js';
import { policyErrors } from './ingestion-policy.errors.js';
import { fingerprintOf } from './policy-fingerprint.js';
import { PolicyVersionsRepository } from './policy-versions.repository.js';

/** A policy and what it is known by. */
export interface VersionedPolicy {
  readonly version: number;
  /** SHA-256 of the canonical JSON, hexadecimal. */
  readonly fingerprint: string;
  readonly policy: IngestionPolicy;
}

/** Ingestion policies of datasets. `current` and `version` serve other modules and do not ask who sees the dataset. */
@Injectable()
export class IngestionPolicies extends DatasetCreationStep {
  constructor(
    private readonly versions: PolicyVersionsRepository,
    private readonly access: DatasetAccess,
  ) {
    super();
  }

  /** The version that new documents use. @throws `datasets.not_found` when there is no such dataset. */
  async current(ctx: RequestContext, datasetId: DatasetId): Promise<VersionedPolicy> {
    return toVersioned(await this.requireCurrent(ctx, datasetId));
  }

  /** One version. @throws `ingestion_policy.version_not_found` */
  async version(ctx: RequestContext, datasetId: DatasetId, version: number): Promise<VersionedPolicy> {
    const row = await this.versions.findVersion(ctx, datasetId, version);
    if (row === undefined) throw policyErrors.version_not_found({ version });
    return toVersioned(row);
  }

  /** The current version as the interface shows it. @throws `datasets.not_found` when the caller does not see the dataset. */
  async read(ctx: RequestContext, datasetId: string): Promise<IngestionPolicyVersion> {
    const dataset = await this.access.requireVisible(ctx, datasetId);
    return toView(await this.requireCurrent(ctx, dataset.id));
  }

  /** Writes version 1, the default policy. */
  override async onCreated(ctx: TransactionContext, dataset: { readonly id: DatasetId }): Promise<void> {
    await this.versions.add(ctx, {
      datasetId: dataset.id,
      version: 1,
      fingerprint: fingerprintOf(DEFAULT_POLICY),
      authorId: ctx.principal.kind === 'system' ? null : ctx.principal.accountId,
      policy: DEFAULT_POLICY,
    });
  }

  private async requireCurrent(ctx: RequestContext, datasetId: DatasetId): Promise<PolicyVersionRow> {
    const row = await this.versions.findCurrent(ctx, datasetId);
    if (row === undefined) throw datasetErrors.not_found({ id: datasetId });
    return row;
  }
}

function toVersioned(row: PolicyVersionRow): VersionedPolicy {
  return { version: row.version, fingerprint: row.fingerprint, policy: row.policy };
}

function toView(row: PolicyVersionRow): IngestionPolicyVersion {
  return {
    version: row.version,
    fingerprint: row.fingerprint,
    author_id: row.author_id,
    created_at: row.created_at.toISOString(),
    comment: row.comment,
    policy: row.policy,
  };
}
