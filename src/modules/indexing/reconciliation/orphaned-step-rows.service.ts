import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { StoreIntents } from '../../documents/index.js';
import { IngestionSteps, StepRowsRepository } from '../../content/index.js';
import type { ReportWriter } from './reconciliation-report.js';
import { ReconcilerRepository } from './reconciler.repository.js';

const BATCH = 200;

/** Rows of steps whose package was missing when their generation was removed. */
@Injectable()
export class OrphanedStepRows {
  constructor(
    private readonly repository: ReconcilerRepository,
    private readonly steps: IngestionSteps,
    private readonly rows: StepRowsRepository,
    private readonly intents: StoreIntents,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * A generation that was removed while no step of the process declared a table has left rows in it. The document's row shows that the
   * generation is obsolete, so its removal is recorded again.
   */
  async remove(ctx: RequestContext, report: ReportWriter): Promise<void> {
    const { tables } = this.steps;
    if (tables.length === 0) return;
    for (let after = ''; ;) {
      const documents = await this.repository.listDocuments(ctx, after, BATCH);
      const left = await this.rows.findLeft(ctx, tables, documents);
      report.awaitingRemoval += left.reduce((sum, { rows }) => sum + rows, 0);
      const removals = new Map(
        left.map(({ documentId, datasetId, generation }) => {
          const subject = `${documentId}:${generation}`;
          return [subject, { subject, payload: { documentId, datasetId, generation } }];
        }),
      );
      const intended = await this.repository.findIntended(ctx, 'remove_generation', [...removals.keys()]);
      const fresh = [...removals.values()].filter(({ subject }) => !intended.has(subject));
      await this.unitOfWork.run(ctx, (_manager, inner) => this.intents.addAll(inner, 'remove_generation', fresh));
      if (documents.length < BATCH) return;
      after = documents.at(-1)!;
    }
  }
}
