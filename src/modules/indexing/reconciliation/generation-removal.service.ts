import { Injectable } from '@nestjs/common';
import type { DocumentId } from '#libs/common';
import { UnitOfWork } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { GenerationFiles, IngestionSteps, StepRowsRepository, type DocumentGeneration } from '../../content/index.js';

/** What contributed steps have made for generations: rows and files. */
@Injectable()
export class GenerationRemoval {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly steps: IngestionSteps,
    private readonly rows: StepRowsRepository,
    private readonly files: GenerationFiles,
  ) {}

  /**
   * Removes it all, for generations that nothing shows and no one writes; `gone` are documents without a row. False when files have to
   * stay, because a backup keeps them: to be asked again.
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
