import { Injectable } from '@nestjs/common';
import { Embedder, Reranker, type ModelCaller } from '#libs/ai';
import { catalogueErrorOf, type DatasetId } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';
import type { Judged } from './filter-subject.js';
import { SubjectTexts } from './subject-texts.service.js';

/** Maximum number of subjects that a model orders; the others follow. */
const ORDERED_MOST = 50;
const TEXT_CHARS = 1_000;
const ORDERING_MS = 10_000;

export interface Ordered {
  readonly judged: readonly Judged[];
  readonly by: 'lexical' | 'reranker' | 'embedding';
}

/**
 * Orders undecided subjects for the chat model: those nearest to the predicate first. A reranking or embedding model only orders and decides
 * nothing: its scores compare texts with each other and do not say whether a predicate holds.
 */
@Injectable()
export class UndecidedOrder {
  constructor(
    private readonly reranker: Reranker,
    private readonly embedder: Embedder,
    private readonly texts: SubjectTexts,
  ) {}

  /** Never throws for failures of a model; the words then decide the order. */
  async order(
    ctx: RequestContext,
    undecided: readonly Judged[],
    { dataset, predicate, signal }: { dataset: DatasetId; predicate: string; signal: AbortSignal },
  ): Promise<Ordered> {
    const byWords = undecided.toSorted((a, b) => b.nearness - a.nearness);
    const by = this.means;
    if (by === 'lexical' || undecided.length < 2) return { judged: byWords, by: 'lexical' };
    const first = byWords.slice(0, ORDERED_MOST);
    const texts: string[] = [];
    for (const { subject } of first) {
      signal.throwIfAborted();
      texts.push(`${subject.documentName}\n${(await this.texts.read(ctx, subject, TEXT_CHARS))?.text ?? ''}`);
    }
    const caller: ModelCaller = { tenantId: ctx.tenantId, datasetIds: [dataset], purpose: 'semantic_filter' };
    const options = { caller, signal: AbortSignal.any([signal, AbortSignal.timeout(ORDERING_MS)]) };
    try {
      const scores = await (by === 'reranker'
        ? this.rerank(predicate, texts, options)
        : this.compare(predicate, texts, options));
      const ordered = first
        .map((judged, index) => ({ ...judged, nearness: scores[index] ?? 0 }))
        .toSorted((a, b) => b.nearness - a.nearness);
      return { judged: [...ordered, ...byWords.slice(ORDERED_MOST).map((judged) => ({ ...judged, nearness: 0 }))], by };
    } catch (error) {
      signal.throwIfAborted();
      if (!options.signal.aborted && catalogueErrorOf(error) === undefined) throw error;
      return { judged: byWords, by: 'lexical' };
    }
  }

  private get means(): Ordered['by'] {
    if (this.reranker.descriptor.kind === 'semantic') return 'reranker';
    return this.embedder.descriptor.kind === 'semantic' ? 'embedding' : 'lexical';
  }

  private async rerank(
    predicate: string,
    texts: readonly string[],
    options: { caller: ModelCaller; signal: AbortSignal },
  ): Promise<number[]> {
    const documents = texts
      .slice(0, this.reranker.descriptor.maxDocuments)
      .map((text, index) => ({ id: String(index), text }));
    const ranked = await this.reranker.rerank(predicate, documents, options);
    const scores = new Map(ranked.documents.map(({ id, score }) => [id, Math.min(1, Math.max(0, score))]));
    return texts.map((_, index) => scores.get(String(index)) ?? 0);
  }

  private async compare(
    predicate: string,
    texts: readonly string[],
    options: { caller: ModelCaller; signal: AbortSignal },
  ): Promise<number[]> {
    const question = (await this.embedder.embed([predicate], 'query', options)).vectors[0]!;
    const scores: number[] = [];
    const { maxBatchSize } = this.embedder.descriptor;
    for (let from = 0; from < texts.length; from += maxBatchSize) {
      const { vectors } = await this.embedder.embed(texts.slice(from, from + maxBatchSize), 'document', options);
      scores.push(...vectors.map((vector) => (1 + dot(question, vector)) / 2));
    }
    return scores;
  }
}

function dot(one: Float32Array, other: Float32Array): number {
  return one.reduce((sum, value, index) => sum + value * other[index]!, 0);
}
