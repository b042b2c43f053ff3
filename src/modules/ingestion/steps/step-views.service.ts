import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#libs/tenancy';
import type { TextSegment } from '#libs/text';
import {
  GenerationFiles,
  ChunkSetRepository,
  chunkIdOf,
  type ChunkSet,
  type ChunkedState,
  type ParsedState,
  type StepAttempt,
  type StepChunk,
  type StepPosition,
  type StepStates,
  RevisionTextRepository,
} from '../../content/index.js';
import { maskedTypesOf, maskFacts } from '../../documents/index.js';
import type { Chunked, Parsed, Stored } from '../attempt/document-states.js';

const CHUNKS_PER_PAGE = 64;

/** The input of contributed steps about a document: from memory if it is held, otherwise from the database in pieces. */
@Injectable()
export class StepViews {
  constructor(
    private readonly texts: RevisionTextRepository,
    private readonly chunks: ChunkSetRepository,
    private readonly files: GenerationFiles,
  ) {}

  attemptOf({ journal, policy, text }: Parsed | Chunked | Stored): StepAttempt {
    const { ctx, attempt, signal } = journal.run;
    const document = maskFacts(journal.run.document, maskedTypesOf(policy));
    return {
      ctx,
      document: {
        id: document.id,
        datasetId: document.dataset_id,
        revisionId: document.revision_id,
        name: document.name,
        mediaType: text.facts?.media_type ?? document.media_type,
        language: text.facts?.language ?? document.language,
        sizeBytes: Number(document.size_bytes),
        tags: document.tags,
        metadata: document.metadata,
      },
      policy,
      generation: attempt.token,
      files: { put: (name, bytes) => this.files.put(ctx, attempt, { name, bytes, signal }) },
      tries: journal.tries,
      signal,
    };
  }

  stateOf<At extends StepPosition>(at: At, document: Parsed | Chunked | Stored): StepStates[At];
  stateOf(at: StepPosition, document: Parsed | Chunked | Stored): ParsedState | ChunkedState {
    const parsed = { textLength: document.text.length, segments: () => this.segmentsOf(document) };
    if (at === 'after_parsing' || document.state === 'parsed') return parsed;
    return { ...parsed, chunkCount: document.set.chunk_count, chunks: () => this.chunksOf(document) };
  }

  private async *segmentsOf({
    source,
    journal,
    revision,
    text,
  }: Parsed | Chunked | Stored): AsyncGenerator<TextSegment> {
    if (source.kind === 'held') yield* source.segments;
    else yield* this.texts.read(journal.run.ctx, revision.id, text.staged);
  }

  private async *chunksOf({ chunks, journal, set }: Chunked | Stored): AsyncGenerator<StepChunk> {
    if (chunks.kind === 'held' && chunks.made !== null) {
      for (const { chunk } of chunks.made) yield { ...chunk, id: chunkIdOf(set.id, chunk.ordinal) };
    } else {
      yield* this.readChunks(journal.run.ctx, set);
    }
  }

  private async *readChunks(ctx: RequestContext, set: ChunkSet): AsyncGenerator<StepChunk> {
    for (let after = -1; after + 1 < set.chunk_count;) {
      const page = await this.chunks.listPage(ctx, set.id, after, CHUNKS_PER_PAGE);
      const last = page.at(-1);
      if (last === undefined) throw new Error(`Chunks after ${after} of the set ${set.id} no longer exist.`);
      yield* page;
      after = last.ordinal;
    }
  }
}
