import { Injectable } from '@nestjs/common';
import { inTurns, type ChunkId, type ChunkSetId, type DocumentId, type Steps } from '#libs/common';
import { result, statement, TenantRepository, UnitOfWork } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { decodeTerms } from '#libs/ranking';
import { readAhead } from '../rows/read-ahead.js';
import type { LoadedChunk } from './posting-segment.js';

/** Chunks read by one statement, as far as chunk sets can be kept together. */
const CHUNKS_PER_READ = 400;
/** Chunk sets whose sizes are read by one statement. */
const SETS_PER_READ = 2_000;

/** How many chunks a set has, and the number that follows the greatest ordinal of them. */
export interface SetSize {
  readonly chunks: number;
  readonly extent: number;
}

/** The chunks of some chunk sets with ordinals from `from` and below `to`. */
interface Batch {
  readonly sets: readonly ChunkSetId[];
  readonly from: number;
  readonly to: number;
}

const SIZES_OF = statement(
  { id: result.uuid<ChunkSetId>(), chunks: result.integer, extent: result.integer },
  `SELECT s.id, c.chunks, c.extent FROM chunk_sets s
     CROSS JOIN LATERAL (SELECT count(*)::int AS chunks, coalesce(max(ordinal) + 1, 0) AS extent FROM chunks WHERE chunk_set_id = s.id) c
   WHERE s.id = ANY ($1::uuid[])`,
);
/** `terms`: base64 of what `encodeChunk` gives; `text`: what those need that hold no n-grams. */
const READ_CHUNKS = statement(
  {
    id: result.uuid<ChunkId>(),
    document_id: result.uuid<DocumentId>(),
    chunk_set_id: result.uuid<ChunkSetId>(),
    ordinal: result.integer,
    terms: result.text(),
    text: result.orNull(result.text()),
  },
  `SELECT id, document_id, chunk_set_id, ordinal, encode(terms, 'base64') AS terms,
     CASE WHEN get_byte(terms, 0) > 2 THEN concat_ws(E'\\n', context, body) END AS text FROM chunks
   WHERE chunk_set_id = ANY ($1::uuid[]) AND ordinal >= $2 AND ordinal < $3`,
);
type TermsRow = NonNullable<(typeof READ_CHUNKS)['row']>;

/** Reads what postings are made of. */
@Injectable()
export class PostingsRepository extends TenantRepository {
  constructor(unitOfWork: UnitOfWork) {
    super(unitOfWork);
  }

  /** How many chunks each set has; a set that is gone is missing. */
  async sizesOf(ctx: RequestContext, sets: readonly ChunkSetId[]): Promise<ReadonlyMap<ChunkSetId, SetSize>> {
    const sizes = new Map<ChunkSetId, SetSize>();
    for (let start = 0; start < sets.length; start += SETS_PER_READ) {
      const rows = await this.query(ctx, SIZES_OF, [sets.slice(start, start + SETS_PER_READ)]);
      for (const { id, ...size } of rows) sizes.set(id, size);
    }
    return sizes;
  }

  /** The chunks of the sets, some hundred at a time. In no order; of a set that goes meanwhile a part or nothing. */
  async *readChunks(
    ctx: RequestContext,
    sizes: ReadonlyMap<ChunkSetId, SetSize>,
  ): AsyncIterable<readonly LoadedChunk[]> {
    yield* readAhead(batchesOf(sizes), (batch) => this.readBatch(ctx, batch));
  }

  private async readBatch(ctx: RequestContext, { sets, from, to }: Batch): Promise<readonly LoadedChunk[]> {
    const rows = await this.query(ctx, READ_CHUNKS, [sets, from, to]);
    return inTurns(decode(rows));
  }
}

function* decode(rows: readonly TermsRow[]): Steps<LoadedChunk[]> {
  const chunks: LoadedChunk[] = [];
  for (const { id, document_id: documentId, chunk_set_id: chunkSetId, ordinal, terms, text } of rows) {
    chunks.push({ id, documentId, chunkSetId, ordinal, terms: decodeTerms(Buffer.from(terms, 'base64'), text) });
    yield;
  }
  return chunks;
}

/** Small sets together, large ones in parts. */
function batchesOf(sizes: ReadonlyMap<ChunkSetId, SetSize>): Batch[] {
  const batches: Batch[] = [];
  let sets: ChunkSetId[] = [];
  let sum = 0;
  const flush = (): void => {
    if (sets.length > 0) batches.push({ sets, from: 0, to: CHUNKS_PER_READ });
    sets = [];
    sum = 0;
  };
  for (const [set, { extent }] of sizes) {
    if (extent > CHUNKS_PER_READ) {
      for (let from = 0; from < extent; from += CHUNKS_PER_READ)
        batches.push({ sets: [set], from, to: from + CHUNKS_PER_READ });
      continue;
    }
    if (sum + extent > CHUNKS_PER_READ) flush();
    sets.push(set);
    sum += extent;
  }
  flush();
  return batches;
}
