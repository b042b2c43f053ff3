import { Injectable } from '@nestjs/common';
import { InstalledModels } from '#libs/ai';
import type { RequestContext } from '#libs/tenancy';
import { DatasetSpaces } from '../../documents/index.js';
import { IngestionPolicies, type IngestionPolicy } from '../../ingestion-policy/index.js';
import type { Planned } from '../attempt/document-states.js';
import type { Journal } from '../attempt/journal.js';
import { RevisionTextRepository } from '../../content/index.js';

/** Finds the policy and the file of each document, and the embedding model: that of the dataset's vectors. */
@Injectable()
export class PlanStage {
  constructor(
    private readonly texts: RevisionTextRepository,
    private readonly policies: IngestionPolicies,
    private readonly models: InstalledModels,
    private readonly spaces: DatasetSpaces,
  ) {}

  /**
   * Whether the vectors of an attempt are still of the model that its dataset is searched by; the transaction has locked the dataset's row.
   */
  async isSpaceKept(ctx: RequestContext, { run, embedder }: Journal): Promise<boolean> {
    const space = await this.spaces.current(ctx, run.document.dataset_id);
    return space === undefined || this.models.embedderFor(space).descriptor.space === embedder.descriptor.space;
  }

  async run(ctx: RequestContext, journals: readonly Journal[]): Promise<Planned[]> {
    const ids = journals.map(({ run }) => run.document.revision_id);
    const revisions = new Map((await this.texts.list(ctx, ids)).map((revision) => [revision.id, revision]));
    const policies = new Map<number, IngestionPolicy>();
    const planned: Planned[] = [];
    const [first] = journals;
    if (first === undefined) return planned;
    const space = await this.spaces.current(ctx, first.run.document.dataset_id);
    const embedder = this.models.embedderFor(space ?? '');
    for (const journal of journals) {
      journal.embedBy(embedder);
      const { dataset_id: datasetId, policy_version: version, revision_id: revisionId } = journal.run.document;
      const policy = policies.get(version) ?? (await this.policies.version(ctx, datasetId, version)).policy;
      policies.set(version, policy);
      const revision = revisions.get(revisionId);
      if (revision === undefined) throw new Error(`Revision ${revisionId} does not exist.`);
      planned.push({ state: 'planned', journal, policy, revision });
    }
    return planned;
  }
}
