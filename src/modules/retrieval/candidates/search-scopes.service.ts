import { Injectable } from '@nestjs/common';
import { abortable } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';
import type { VisibleDataset } from '../../datasets/index.js';
import type { FoundCandidates } from './candidate-finder.service.js';
import { countArrivedSince, isReplacedSince } from '../snapshot/replaced-documents.js';
import type { DatasetsAtMoment } from '../rows/retrieval-rows.js';
import { RetrievalRepository } from '../rows/retrieval.repository.js';
import type { Calibrations } from '../scales/calibrated-space.js';
import type { StepTimer } from '../request/step-timer.js';
import { DatasetContentsCache } from '../snapshot/dataset-contents-cache.service.js';
import type { DatasetContents } from '../snapshot/held-dataset.js';

/** The data about its datasets that a search needs beside their chunks. */
export interface ScopeFacts {
  /** What each dataset shows, in the order in which they were given. */
  readonly contents: readonly DatasetContents[];
}

/** Changes of the datasets during a search. */
export interface ScopeChanges {
  /** One of the documents of the candidates got other chunks, which these may hold by halves. */
  readonly isReplaced: boolean;
  /** Documents that the candidates may not hold: those that wait for their ingestion or are in it, and those that came meanwhile. */
  readonly pendingDocuments: number;
}

/** The same with how cosines of the question are read. */
export type ReadScope = readonly [ScopeFacts, Calibrations];

/** Facts about the datasets that are searched. */
@Injectable()
export class SearchScopes {
  constructor(
    private readonly contents: DatasetContentsCache,
    private readonly repository: RetrievalRepository,
  ) {}

  /** Whether all that is to be in memory of the datasets is there. */
  areLoaded(ctx: RequestContext, datasetIds: readonly string[]): boolean {
    return this.contents.areHeld(ctx, datasetIds);
  }

  /** Who stops waiting leaves what is being counted to the next search. @throws the reason of `signal` */
  async load(
    ctx: RequestContext,
    datasets: readonly VisibleDataset[],
    { timer, signal }: { readonly timer: StepTimer; readonly signal: AbortSignal },
  ): Promise<ScopeFacts> {
    return { contents: await timer.measure('statistics', () => abortable(this.contents.load(ctx, datasets), signal)) };
  }

  /**
   * What changed since the search began. To be asked after the store has answered. `known`: the datasets as they were when the results were read; null: to
   * be read now. Reads nothing more unless something changed.
   */
  async changesSince(
    ctx: RequestContext,
    datasets: readonly VisibleDataset[],
    found: Pick<FoundCandidates, 'documents' | 'seqs'>,
    known: DatasetsAtMoment | null,
  ): Promise<ScopeChanges> {
    const ids = datasets.map(({ id }) => id);
    const { contentSeqs: now, pending } = known ?? (await this.repository.readDatasets(ctx, ids));
    const moved = datasets.filter(({ id }, index) => BigInt(now[id] ?? 0) > found.seqs[index]!);
    if (moved.length === 0) return { isReplaced: false, pendingDocuments: pending };
    const latest = moved.map(({ id }) => ({ id, contentSeq: now[id]! }));
    const contents = await this.contents.load(ctx, latest);
    const isReplaced = contents.some(({ counted }, index) => {
      const began = BigInt(moved[index]!.contentSeq);
      return [...found.documents].some((document) => isReplacedSince(counted.get(document), began));
    });
    const arrived = contents.map(({ counted }, index) =>
      countArrivedSince(counted.values(), BigInt(moved[index]!.contentSeq)),
    );
    return { isReplaced, pendingDocuments: arrived.reduce((sum, count) => sum + count, pending) };
  }
}
