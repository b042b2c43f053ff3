import { Injectable } from '@nestjs/common';
import { InstalledModels } from '#libs/ai';
import { AuditLog } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { DatasetAccess, type VisibleDataset } from '../../datasets/index.js';
import type {
  IngestionPolicyVersion,
  PolicyDiff,
  PolicyVersionPage,
  PresentIngestionPolicy,
} from '../schema/ingestion-policy.dto.js';
import type { PolicyVersionRow } from '../versions/policy-version.entity.js';
import { policyErrors } from '../ingestion-policy.errors.js';
import { diffPolicies } from '../versions/policy-diff.js';
import { PolicyUsage } from '../rules/policy-usage.port.js';
import { PolicyVersionsRepository } from '../versions/policy-versions.repository.js';
import { toPolicyVersion, toPresentPolicy, toVersionListItem } from '../versions/policy-views.js';

/** Reads the versions of a dataset's policy for callers who see the dataset. */
@Injectable()
export class PolicyHistory {
  constructor(
    private readonly access: DatasetAccess,
    private readonly versions: PolicyVersionsRepository,
    private readonly usage: PolicyUsage,
    private readonly audit: AuditLog,
    private readonly models: InstalledModels,
  ) {}

  /** The version that new documents use. @throws `datasets.not_found` */
  async current(ctx: RequestContext, datasetId: string): Promise<PresentIngestionPolicy> {
    const dataset = await this.access.requireVisible(ctx, datasetId);
    const version = toPolicyVersion(await this.requireListed(ctx, dataset, dataset.policyVersion));
    return toPresentPolicy(version, dataset.embeddingSpace, this.models);
  }

  /** The same for an export, which is recorded in the audit log. @throws `datasets.not_found` */
  async export(ctx: RequestContext, datasetId: string): Promise<PresentIngestionPolicy> {
    const current = await this.current(ctx, datasetId);
    const subject = `dataset:${datasetId.toLowerCase()}`;
    await this.audit.append(ctx, { event: 'policy.exported', subject, details: { version: current.version } });
    return current;
  }

  /** The listed versions, newest first. @throws `datasets.not_found` */
  async list(
    ctx: RequestContext,
    datasetId: string,
    page: { readonly skip: number; readonly limit: number },
  ): Promise<PolicyVersionPage> {
    const dataset = await this.access.requireVisible(ctx, datasetId);
    const { items, total } = await this.versions.list(ctx, dataset.id, page);
    const counts = await this.usage.countDocuments(
      ctx,
      dataset.id,
      items.map((row) => row.version),
    );
    return {
      items: items.map((row) => toVersionListItem(row, counts.get(row.version) ?? 0)),
      total,
      skip: page.skip,
      limit: page.limit,
    };
  }

  /** @throws `datasets.not_found`, `ingestion_policy.version_not_found`, `ingestion_policy.version_cleaned_up` */
  async version(ctx: RequestContext, datasetId: string, version: string): Promise<IngestionPolicyVersion> {
    const dataset = await this.access.requireVisible(ctx, datasetId);
    const number = /^[1-9]\d{0,8}$/.test(version) ? Number(version) : undefined;
    if (number === undefined) throw policyErrors.version_not_found({ version });
    return toPolicyVersion(await this.requireListed(ctx, dataset, number));
  }

  /** The changes from one version to another; by default those of the newest version. @throws as `version` */
  async diff(ctx: RequestContext, datasetId: string, from?: number, to?: number): Promise<PolicyDiff> {
    const dataset = await this.access.requireVisible(ctx, datasetId);
    const later = to ?? dataset.policyVersion;
    const earlier = from ?? Math.max(1, later - 1);
    const [before, after] = [
      toPolicyVersion(await this.requireListed(ctx, dataset, earlier)),
      toPolicyVersion(await this.requireListed(ctx, dataset, later)),
    ];
    const items = diffPolicies(before.policy, after.policy);
    return { from: earlier, to: later, items, total: items.length };
  }

  /** The row of a version that is still listed. */
  async requireListed(
    ctx: RequestContext,
    dataset: Pick<VisibleDataset, 'id' | 'policyVersion'>,
    version: number,
  ): Promise<PolicyVersionRow> {
    if (version < 1 || version > dataset.policyVersion) throw policyErrors.version_not_found({ version });
    const row = await this.versions.findVersion(ctx, dataset.id, version);
    if (row !== undefined && row.cleaned_up_at === null) return row;
    const { items } = await this.versions.list(ctx, dataset.id, { skip: 0, limit: 100 });
    const oldest = items.at(-1)?.version ?? dataset.policyVersion;
    throw policyErrors.version_cleaned_up({ version, oldest });
  }
}
