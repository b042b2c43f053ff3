import { Injectable } from '@nestjs/common';
import { InstalledModels } from '#libs/ai';
import { canonicalJson, type DatasetId } from '#libs/common';
import type { TransactionContext } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { datasetErrors, DatasetCreationStep, type CreatedDataset } from '../../datasets/index.js';
import { DEFAULT_POLICY, type IngestionPolicy } from '../schema/ingestion-policy.entity.js';
import { policyErrors } from '../ingestion-policy.errors.js';
import { fingerprintOf } from '../rules/policy-fingerprint.js';
import { PolicyUsage } from '../rules/policy-usage.port.js';
import { completePolicy } from '../rules/policy-validation.js';
import { PolicyVersionsRepository } from '../versions/policy-versions.repository.js';
import type { PolicyVersionRow } from '../versions/policy-version.entity.js';
import { wantedEmbedding } from '../rules/wanted-embedding.js';

/** A policy with its version and fingerprint. */
export interface VersionedPolicy {
  readonly version: number;
  /** SHA-256 of the canonical JSON as it was written, hexadecimal. */
  readonly fingerprint: string;
  readonly policy: IngestionPolicy;
}

/** Ingestion policies for other modules, which must check that the caller sees the dataset. */
@Injectable()
export class IngestionPolicies extends DatasetCreationStep {
  constructor(
    private readonly versions: PolicyVersionsRepository,
    private readonly usage: PolicyUsage,
    private readonly models: InstalledModels,
  ) {
    super();
  }

  /** The version that new documents use. @throws `datasets.not_found` when there is no such dataset. */
  async current(ctx: RequestContext, datasetId: DatasetId): Promise<VersionedPolicy> {
    return toVersioned(await this.requireCurrent(ctx, datasetId));
  }

  /** One version, also one that is no longer listed. @throws `ingestion_policy.version_not_found` */
  async version(ctx: RequestContext, datasetId: DatasetId, version: number): Promise<VersionedPolicy> {
    const row = await this.versions.findVersion(ctx, datasetId, version);
    if (row === undefined) throw policyErrors.version_not_found({ version });
    return toVersioned(row);
  }

  /**
   * The present version and all others under which ingestion gives the same result; documents of any other version are stale. The embedding
   * model and the defaults of searches are ignored, because a reingest does not change their effect.
   */
  async versionsInForce(ctx: RequestContext, datasetId: DatasetId): Promise<number[]> {
    const { policy } = await this.requireCurrent(ctx, datasetId);
    const inForce = ingestedAs(policy);
    const all = await this.versions.listPolicies(ctx, datasetId);
    return all.flatMap((row) => (ingestedAs(row.policy) === inForce ? [row.version] : []));
  }

  /** Writes version 1: the default policy, or for a clone a copy of the policy in force. */
  override async complete(ctx: TransactionContext, dataset: CreatedDataset): Promise<void> {
    const { clonedFrom } = dataset;
    const source = clonedFrom === undefined ? undefined : await this.current(ctx, clonedFrom.id);
    const policy = source?.policy ?? DEFAULT_POLICY;
    await this.versions.add(ctx, {
      datasetId: dataset.id,
      version: 1,
      fingerprint: fingerprintOf(policy),
      authorId: ctx.principal.kind === 'system' ? null : ctx.principal.accountId,
      comment: source === undefined ? null : `Cloned from version ${source.version} of another dataset.`,
      sourceVersion: null,
      policy,
    });
    const wanted = policy.embedding.model === undefined ? undefined : wantedEmbedding(this.models, policy);
    if (wanted !== undefined) await this.usage.takeEmbedding(ctx, dataset.id, wanted);
  }

  private async requireCurrent(ctx: RequestContext, datasetId: DatasetId): Promise<PolicyVersionRow> {
    const row = await this.versions.findCurrent(ctx, datasetId);
    if (row === undefined) throw datasetErrors.not_found({ id: datasetId });
    return row;
  }
}

function toVersioned(row: PolicyVersionRow): VersionedPolicy {
  return { version: row.version, fingerprint: row.fingerprint, policy: completePolicy(row.policy) };
}

function ingestedAs(stored: object): string {
  const { embedding: _model, retrieval_defaults: _defaults, chunking, parsing, ...rest } = completePolicy(stored);
  const { fit_model: isFitted = false, ...cut } = chunking;
  // `parsing.archive` does not affect other documents, and a split archive stays split until its next revision.
  const { archive: _archive, ...read } = parsing;
  return canonicalJson({ ...rest, parsing: read, chunking: { ...cut, fit_model: isFitted } });
}
