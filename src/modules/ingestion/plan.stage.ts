import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#libs/tenancy';
import { IngestionPolicies, type IngestionPolicy } from '../ingestion-policy/index.js';
import type { Planned } from './document-states.js';
import type { Journal } from './journal.js';
import { RevisionTextRepository } from './revision-text.repository.js';

/** Finds the policy and the file of each document. */
@Injectable()
export class PlanStage {
  constructor(
    private readonly texts: RevisionTextRepository,
    private readonly policies: IngestionPolicies,
  ) {}

  async run(ctx: RequestContext, journals: readonly Journal[]): Promise<Planned[]> {
    const ids = journals.map(({ run }) => run.document.revision_id);
    const revisions = new Map((await this.texts.list(ctx, ids)).map((revision) => [revision.id, revision]));
    const policies = new Map<number, IngestionPolicy>();
    const planned: Planned[] = [];
    for (const journal of journals) {
      const { dataset_id: datasetId, policy_version: version, revision_id: revisionId } = journal.run.document;
      const policy = policies.get(version) ?? (await this.policies.version(ctx, datasetId, version)).policy;
      policies.set(version, policy);
      const revision = revisions.get(revisionId);
      if (revision === undefined) throw new Error(`Revision ${revisionId} is gone.`);
      planned.push({ state: 'planned', journal, policy, revision });
    }
    return planned;
  }
}
