import { Injectable } from '@nestjs/common';
import type { TransactionContext } from '#libs/database';
import { contentOf, type FactsQuarantine, type QuarantinedFacts } from '../../documents/index.js';
import { findBeside } from '../findings/content-search.js';
import { FindingsRepository } from '../findings/findings.repository.js';
import { QuarantineService } from './quarantine.service.js';

/** Attempt number of findings in a document that was never ingested: they belong to no attempt. */
const NO_ATTEMPT = '0';

/** Quarantines documents because of their names, metadata or tags, as ingestion would do. */
@Injectable()
export class QuarantineOfFacts implements FactsQuarantine {
  constructor(
    private readonly quarantines: QuarantineService,
    private readonly findings: FindingsRepository,
  ) {}

  async quarantine(ctx: TransactionContext, documents: readonly QuarantinedFacts[]): Promise<void> {
    for (const { row, rules } of documents) {
      const { id: documentId, revision_id: revisionId, revision } = row;
      const generation = contentOf(row).generation ?? NO_ATTEMPT;
      const owner = { documentId, revisionId, revision, generation, rescanId: null };
      await this.findings.recordBeside(ctx, owner, findBeside({ ...row, title: null }, rules));
    }
    const byReason = Map.groupBy(documents, ({ types }) => types.join(', '));
    for (const [types, rows] of byReason) {
      const reason = `The ingestion policy quarantines documents with ${types}.`;
      await this.quarantines.quarantine(ctx, { document_ids: rows.map(({ row }) => row.id), reason });
    }
  }
}
