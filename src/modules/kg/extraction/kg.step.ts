import { Injectable } from '@nestjs/common';
import type { GraphEntityType } from '#libs/graph-extraction';
import {
  IngestionStep,
  type ChunkedState,
  type StepAttempt,
  type StepChunk,
  type StepOutput,
} from '../../ingestion/index.js';
import { KgDocumentsRepository } from './kg-documents.repository.js';
import { evidenceOf, HEURISTIC_EXTRACTOR, orderedTypes, type ExtractedChunk } from './kg-rows.js';

/**
 * Extracts a document's part of the graph while it is ingested: where the policy says so, and where the document has a part already, so that
 * a reingest and a release keep it.
 */
@Injectable()
@IngestionStep({
  name: 'kg',
  at: 'after_chunking',
  tables: ['kg_mentions', 'kg_relations', 'kg_extractions'],
  onFailure: 'warn',
})
export class KgStep implements IngestionStep<'after_chunking'> {
  constructor(private readonly documents: KgDocumentsRepository) {}

  async *run(attempt: StepAttempt, state: ChunkedState): AsyncGenerator<StepOutput> {
    const types = await this.typesOf(attempt);
    if (types === null) return;
    for await (const { mentions, relations } of evidenceOf(chunksOf(state.chunks()), attempt.document.name, types)) {
      attempt.signal.throwIfAborted();
      yield { kind: 'rows', table: 'kg_mentions', rows: mentions };
      yield { kind: 'rows', table: 'kg_relations', rows: relations };
    }
    yield { kind: 'rows', table: 'kg_extractions', rows: [{ extractor: HEURISTIC_EXTRACTOR, entity_types: types }] };
  }

  /** Null: nothing is extracted. */
  private async typesOf({ ctx, document, policy }: StepAttempt): Promise<GraphEntityType[] | null> {
    if (policy.kg.mode === 'heuristic') return orderedTypes(policy.kg.entity_types);
    const earlier = await this.documents.findTypes(ctx, document.id);
    return earlier === undefined ? null : orderedTypes(earlier);
  }
}

async function* chunksOf(chunks: AsyncIterable<StepChunk>): AsyncGenerator<ExtractedChunk> {
  for await (const { id, start, text, headingPath } of chunks) yield { id, start, text, headingPath };
}
