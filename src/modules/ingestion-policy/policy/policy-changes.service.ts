import { Injectable } from '@nestjs/common';
import type { DatasetId, FieldProblem } from '#libs/common';
import { AuditLog, UnitOfWork, type TransactionContext } from '#libs/database';
import { requireMatch } from '#libs/http';
import type { RequestContext } from '#libs/tenancy';
import { DatasetAccess, type VisibleDataset } from '../../datasets/index.js';
import type { PresentIngestionPolicy } from '../schema/ingestion-policy.dto.js';
import { isWeaker } from '../rules/governance-rules.js';
import type { IngestionPolicy } from '../schema/ingestion-policy.entity.js';
import { policyErrors } from '../ingestion-policy.errors.js';
import { fingerprintOf } from '../rules/policy-fingerprint.js';
import { PolicyHistory } from './policy-history.service.js';
import { PolicyUsage } from '../rules/policy-usage.port.js';
import { PolicyInstallation } from './policy-installation.service.js';
import { requireValidPolicy } from '../rules/policy-validation.js';
import type { WantedEmbedding } from '../rules/wanted-embedding.js';
import { PolicyVersionsRepository } from '../versions/policy-versions.repository.js';
import { toPolicyVersion } from '../versions/policy-views.js';

/** Maximum number of versions that are listed and can be read, compared and rolled back to. */
export const VERSIONS_KEPT = 50;
/** Time within which an upload that began under a version has ended. */
const REMOVAL_GRACE_SECONDS = 3600;

/** Options of a change. */
export interface PolicyChangeOptions {
  /** At most 500 characters. */
  readonly comment?: string;
  /** Entity tag of the version to which the change applies. */
  readonly ifMatch?: string;
}

/** Writes versions of policies. Every change appends a version, even if the policy is identical; documents keep their version. */
@Injectable()
export class PolicyChanges {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly access: DatasetAccess,
    private readonly versions: PolicyVersionsRepository,
    private readonly history: PolicyHistory,
    private readonly usage: PolicyUsage,
    private readonly audit: AuditLog,
    private readonly installation: PolicyInstallation,
  ) {}

  /** Appends the policy as it was sent. @throws `datasets.not_found`, `ingestion_policy.invalid`, `ingestion_policy.weaker_governance`, `http.precondition_failed` */
  async replace(
    ctx: RequestContext,
    datasetId: string,
    input: unknown,
    options: PolicyChangeOptions,
  ): Promise<PresentIngestionPolicy> {
    await this.access.requireVisible(ctx, datasetId);
    const policy = requireValidPolicy(input);
    return this.unitOfWork.run(ctx, async (_manager, inner) => {
      const dataset = await this.lock(inner, datasetId, options.ifMatch);
      return this.append(inner, dataset, policy, { comment: options.comment });
    });
  }

  /**
   * Appends a copy of an earlier version.
   * @throws `datasets.not_found`, `ingestion_policy.version_not_found`, `ingestion_policy.version_cleaned_up`,
   * `http.precondition_failed`
   */
  async rollBack(
    ctx: RequestContext,
    datasetId: string,
    version: number,
    options: PolicyChangeOptions,
  ): Promise<PresentIngestionPolicy> {
    return this.unitOfWork.run(ctx, async (_manager, inner) => {
      const dataset = await this.lock(inner, datasetId, options.ifMatch);
      const source = await this.history.requireListed(inner, dataset, version);
      const { policy } = toPolicyVersion(source);
      return this.append(inner, dataset, policy, { comment: options.comment, sourceVersion: version });
    });
  }

  /** Appends a version to a dataset whose row the transaction has locked. */
  async append(
    ctx: TransactionContext,
    dataset: Pick<VisibleDataset, 'id' | 'policyVersion' | 'embeddingSpace'>,
    policy: IngestionPolicy,
    origin: { readonly comment?: string; readonly sourceVersion?: number },
  ): Promise<PresentIngestionPolicy> {
    await this.requireNoWeaker(ctx, dataset, policy);
    const wanted = this.installation.require(policy);
    const version = dataset.policyVersion + 1;
    const fingerprint = fingerprintOf(policy);
    const sourceVersion = origin.sourceVersion ?? null;
    await this.versions.add(ctx, {
      datasetId: dataset.id,
      version,
      fingerprint,
      authorId: ctx.principal.kind === 'system' ? null : ctx.principal.accountId,
      comment: commentOf(origin.comment),
      sourceVersion,
      policy,
    });
    await this.access.advancePolicy(ctx, dataset.id, version);
    const isTaken = await this.usage.takeEmbedding(ctx, dataset.id, wanted);
    await this.cleanUp(ctx, dataset.id, version);
    await this.audit.append(ctx, {
      event: 'policy.version_created',
      subject: `dataset:${dataset.id}`,
      details: { version, fingerprint, source_version: sourceVersion },
    });
    const row = await this.history.requireListed(ctx, { ...dataset, policyVersion: version }, version);
    return this.installation.present(toPolicyVersion(row), isTaken ? wanted.space : dataset.embeddingSpace);
  }

  /** Problems of a policy that this installation cannot carry out; pointers begin at the policy. */
  problemsOf(policy: IngestionPolicy): FieldProblem[] {
    return this.installation.problemsOf(policy);
  }

  /** The embedding model of a policy; undefined when it names one that is no longer installed. */
  embeddingOf(policy: IngestionPolicy): WantedEmbedding['embedding'] | undefined {
    return this.installation.wanted(policy)?.embedding;
  }

  /** Every caller who may write policies may make rules stricter; only callers with `governance:write` may weaken them. */
  private async requireNoWeaker(
    ctx: TransactionContext,
    dataset: Pick<VisibleDataset, 'id' | 'policyVersion'>,
    policy: IngestionPolicy,
  ): Promise<void> {
    const permission = 'governance:write';
    if (ctx.principal.kind === 'system' || ctx.principal.permissions.has(permission)) return;
    const before = await this.versions.findVersion(ctx, dataset.id, dataset.policyVersion);
    if (before === undefined || !isWeaker(policy.governance, toPolicyVersion(before).policy.governance)) return;
    throw policyErrors.weaker_governance({ permission, kind: ctx.principal.kind });
  }

  private async lock(ctx: TransactionContext, datasetId: string, ifMatch: string | undefined): Promise<VisibleDataset> {
    const dataset = await this.access.lockVisible(ctx, datasetId);
    requireMatch(ifMatch, dataset.policyVersion);
    return dataset;
  }

  private async cleanUp(ctx: TransactionContext, datasetId: DatasetId, newest: number): Promise<void> {
    await this.versions.unlist(ctx, datasetId, newest - VERSIONS_KEPT + 1);
    const removable = await this.versions.listRemovable(ctx, datasetId, REMOVAL_GRACE_SECONDS);
    if (removable.length === 0) return;
    const inUse = new Set(await this.usage.versionsInUse(ctx, datasetId, removable));
    await this.versions.remove(
      ctx,
      datasetId,
      removable.filter((version) => !inUse.has(version)),
    );
  }
}

function commentOf(comment: string | undefined): string | null {
  const trimmed = comment?.trim() ?? '';
  return trimmed === '' ? null : trimmed;
}
