import { Injectable } from '@nestjs/common';
import type { DocumentId } from '#libs/common';
import { UnitOfWork } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { GenerationFiles, IngestionSteps, StepRowsRepository, type DocumentGeneration } from '../../content/index.js';

/** Rows and files that contributed steps have written for generations. */
@Injectable()
export class GenerationRemoval {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly steps: IngestionSteps,
    private readonly rows: StepRowsRepository,
    private readonly files: GenerationFiles,
  ) {}

  /**
   * Removes rows and files of generations that are neither shown nor being written; `gone` are documents without a row. False when a backup
   * needs the files: call it again later.
   */
  async remove(
    ctx: RequestContext,
    generations: readonly DocumentGeneration[],
    gone: ReadonlySet<DocumentId>,
  ): Promise<boolean> {
    await this.unitOfWork.run(ctx, (manager) => this.rows.remove(manager, this.steps.tables, generations));
    return this.files.remove(ctx, generations, gone);
  }
}
