import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { TransactionContext } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { ChunkSetRepository, ChunkSets, RevisionTextRepository } from '../../content/index.js';
import { SpaceWatch, AttemptEnded, DocumentLifecycle } from '../../documents/index.js';
import type { Stored } from '../attempt/document-states.js';
import type { Journal, NewResults } from '../attempt/journal.js';

/** Values that an attempt writes at a checkpoint. */
interface Entry extends NewResults {
  readonly journal: Journal;
}

/** Writes the progress of one or many attempts in one transaction; documents whose attempts are no longer valid are left out. */
@Injectable()
export class Checkpoints {
  constructor(
    private readonly lifecycle: DocumentLifecycle,
    private readonly texts: RevisionTextRepository,
    private readonly sets: ChunkSets,
    private readonly vectors: ChunkSetRepository,
    private readonly space: SpaceWatch,
  ) {}

  /** Resolves to the journals of the documents whose attempts are still valid. @throws Postponed when there is too little space */
  async write(ctx: RequestContext, journals: readonly Journal[]): Promise<ReadonlySet<Journal>> {
    if (journals.length === 0) return new Set();
    await this.space.require();
    const entries = journals.map((journal) => ({ journal, ...journal.take() }));
    const attempts = journals.map(({ run }) => run.attempt);
    return this.lifecycle.guardedAll(ctx, attempts, async (manager, inner, rows) => {
      const owned = new Set<string>(rows.map((row) => row.id));
      const own = entries.filter(({ journal }) => owned.has(journal.run.document.id));
      if (own.length > 0) await this.writeOwn(manager, inner, own);
      return new Set(own.map(({ journal }) => journal));
    });
  }

  /** The same for one document. @throws AttemptEnded */
  async writeOne(journal: Journal): Promise<void> {
    journal.run.signal.throwIfAborted();
    const owned = await this.write(journal.run.ctx, [journal]);
    if (owned.size === 0) throw new AttemptEnded(journal.run.document.id);
  }

  /** Replaces shown texts with the staged ones, in the transaction that shows their chunks. */
  async showTexts(manager: EntityManager, documents: readonly Pick<Stored, 'text' | 'revision'>[]): Promise<void> {
    for (const { text, revision } of documents) if (text.staged) await this.texts.publish(manager, revision.id);
  }

  private async writeOwn(manager: EntityManager, ctx: TransactionContext, own: readonly Entry[]): Promise<void> {
    await this.writeTexts(manager, ctx, own, false);
    await this.writeTexts(manager, ctx, own, true);
    await this.writeChunks(manager, ctx, own);
    const made = own.filter((entry) => entry.vectors.length > 0);
    for (const [space, entries] of groupBySpace(made)) {
      const vectors = entries.flatMap((entry) => entry.vectors);
      await this.vectors.appendVectors(manager, ctx, space, vectors);
    }
    const moves = own.flatMap(({ advance }) => advance ?? []);
    if (moves.length > 0) await this.lifecycle.advance(ctx, moves);
  }

  private async writeTexts(
    manager: EntityManager,
    ctx: TransactionContext,
    own: readonly Entry[],
    staged: boolean,
  ): Promise<void> {
    const texts = own.flatMap(({ journal, text }) =>
      text?.staged === staged ? [{ ...text, revisionId: journal.run.document.revision_id }] : [],
    );
    if (texts.length === 0) return;
    const first = texts.filter(({ isFirst }) => isFirst).map(({ revisionId }) => revisionId);
    if (first.length > 0) await this.texts.clear(manager, first, staged);
    await this.texts.append(manager, ctx, texts, staged);
    const sealed = texts.flatMap(({ revisionId, sealed: text }) => (text === null ? [] : [{ revisionId, text }]));
    if (sealed.length > 0) await this.texts.seal(manager, sealed, staged);
  }

  private async writeChunks(manager: EntityManager, ctx: TransactionContext, own: readonly Entry[]): Promise<void> {
    const pieces = own.flatMap(({ journal, chunks }) =>
      chunks === null ? [] : [{ ...chunks, documentId: journal.run.document.id }],
    );
    if (pieces.length === 0) return;
    const opened = pieces.flatMap((piece) => (piece.opened === null ? [] : [{ ...piece.opened, id: piece.setId }]));
    if (opened.length > 0) await this.sets.open(manager, ctx, opened);
    await this.sets.append(manager, ctx, pieces);
    await this.sets.appendSummaries(
      manager,
      ctx,
      pieces.flatMap(({ setId, summaries }) => summaries.map((one) => ({ setId, ...one }))),
    );
    const sealed = pieces.flatMap((piece) => (piece.sealed === null ? [] : [{ id: piece.setId, ...piece.sealed }]));
    if (sealed.length > 0) await this.sets.seal(manager, sealed);
  }
}

/** Groups by model; documents that are written together mostly have the same one. */
function groupBySpace(entries: readonly Entry[]): ReadonlyMap<string, readonly Entry[]> {
  return Map.groupBy(entries, ({ journal }) => journal.embedder.descriptor.space);
}
