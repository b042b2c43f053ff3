import { Injectable } from '@nestjs/common';
import { CatalogueError, Batcher } from '#libs/common';
import { UnitOfWork } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { DocumentIntake, type HandedIn, type IntakeOutcome, type AcceptedFile } from './document-intake.service.js';

interface Arrived extends HandedIn {
  readonly ctx: RequestContext;
}

/** Uploads of one small file per request, sent by one sender at about the same time, share a transaction. */
@Injectable()
export class BatchedUploads {
  private readonly batcher = new Batcher<Arrived, IntakeOutcome>((files) => this.takeAll(files));

  constructor(
    private readonly intake: DocumentIntake,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** As `DocumentIntake.takeAll` with one file, in a transaction that others may share. Durable when it resolves. */
  async take(ctx: RequestContext, file: HandedIn): Promise<AcceptedFile> {
    const { principal, tenantId } = ctx;
    const { datasetId, onDuplicate, onSameName = null } = file.options;
    const isRevising = onDuplicate === 'new_revision';
    const key = JSON.stringify([tenantId, { ...principal, permissions: [] }, datasetId, isRevising, onSameName]);
    const outcome = await this.batcher.submit(key, { ...file, ctx });
    if (outcome instanceof CatalogueError) throw outcome;
    return outcome;
  }

  private takeAll(files: readonly Arrived[]): Promise<IntakeOutcome[]> {
    const { ctx, options } = files[0]!;
    return this.unitOfWork.run(ctx, (_manager, inner) => this.intake.takeAll(inner, options.datasetId, files));
  }
}
