import { Injectable } from '@nestjs/common';
import type { DatasetId } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';
import type { IngestionPolicy } from '../schema/ingestion-policy.entity.js';
import { completePolicy } from '../rules/policy-validation.js';
import { PolicyVersionsRepository } from '../versions/policy-versions.repository.js';

/** Maximum number of versions in memory. */
const KEPT = 500;

/** The parts of a policy that searches and lists read often. */
export type ReadOften = Pick<IngestionPolicy, 'embedding' | 'retrieval_defaults'>;

const UNWRITTEN: ReadOften = { embedding: {}, retrieval_defaults: {} };

/** The present policies of datasets, from memory if possible. */
@Injectable()
export class PresentPolicies {
  /** By tenant, dataset and version; a version never changes. */
  private readonly kept = new Map<string, ReadOften>();

  constructor(private readonly versions: PolicyVersionsRepository) {}

  /** The present version of each dataset, in the order of the datasets. */
  async of(
    ctx: RequestContext,
    datasets: readonly { readonly id: DatasetId; readonly policyVersion: number }[],
  ): Promise<ReadOften[]> {
    const keyOf = (id: DatasetId, version: number): string => `${ctx.tenantId}:${id}:${version}`;
    const known = new Map(datasets.map(({ id, policyVersion }) => [id, this.kept.get(keyOf(id, policyVersion))]));
    const missing = datasets.filter(({ id }) => known.get(id) === undefined);
    for (const row of missing.length === 0 ? [] : await this.versions.listOf(ctx, missing)) {
      const { embedding, retrieval_defaults } = completePolicy(row.policy);
      known.set(row.dataset_id, { embedding, retrieval_defaults });
      // A version that an open transaction has written may be rolled back, and another one may get its number.
      if (ctx.tx === undefined) this.keep(keyOf(row.dataset_id, row.version), { embedding, retrieval_defaults });
    }
    return datasets.map(({ id }) => known.get(id) ?? UNWRITTEN);
  }

  private keep(key: string, policy: ReadOften): void {
    const [oldest] = this.kept.keys();
    if (this.kept.size >= KEPT && oldest !== undefined) this.kept.delete(oldest);
    this.kept.set(key, policy);
  }
}
