import { Injectable } from '@nestjs/common';
import { InstalledModels, type Embedder } from '#libs/ai';
import { catalogueErrorOf } from '#libs/common';
import { yieldToRequests } from '#libs/tasks';
import type { RequestContext } from '#libs/tenancy';
import { chunkBlocks, type ChunkingOptions, type TextSegment } from '#libs/text';
import { DatasetAccess } from '../../datasets/index.js';
import { contentOf, documentErrors, isSplit, DocumentsService, type DocumentRow } from '../../documents/index.js';
import {
  IngestionPolicies,
  policyWarnings,
  requireValidPolicy,
  type IngestionPolicy,
} from '../../ingestion-policy/index.js';
import { warningsFor, warningsForArchive } from './dry-run-warnings.js';
import { DryRunRepository } from './dry-run.repository.js';
import { fitChunking } from '../pipeline/fit-to-model.js';
import {
  MOST_DOCUMENTS,
  type DryRunArchive,
  type DryRunChunks,
  type DryRunDocument,
  type DryRunLeftOut,
  type DryRunRequest,
  type DryRunResult,
  type DryRunWarning,
  type DryRunChunk,
} from './dry-run.dto.js';
import { RevisionTextRepository } from '../../content/index.js';

const MOST_SAMPLED_CHARACTERS = 100_000;

/** Collects the first chunks of a document, up to the limits of the answer. */
class ChunkSample {
  static readonly MOST_CHUNKS = 200;

  private readonly chunks: DryRunChunk[] = [];
  private characters = 0;

  /** Adds the chunk unless the answer would become too long; after one was left out, no further chunk is added. */
  add(chunk: DryRunChunk): void {
    this.characters += chunk.text.length;
    if (this.chunks.length < ChunkSample.MOST_CHUNKS && this.characters <= MOST_SAMPLED_CHARACTERS)
      this.chunks.push(chunk);
  }

  describe(totals: Pick<DryRunChunks, 'policy_version' | 'chunk_count' | 'token_count'>): DryRunChunks {
    return { ...totals, chunks: this.chunks, truncated: this.chunks.length < totals.chunk_count };
  }
}

/** Longest stretch of one document that is chunked, in UTF-16 code units. */
const MOST_CHARACTERS = 1_000_000;
const CHUNKS_PER_BREATH = 8;
/** Maximum number of files of an archive that are checked for readability. */
const MOST_PARTS = 100;
/** Error codes for which a file of an archive is left out; a document that the request names is refused with them. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  'documents.text_not_ready',
  'documents.quarantined',
  'documents.not_found',
]);

/** A document with a text. */
interface ReadableText {
  readonly row: DocumentRow;
  readonly revisionId: DocumentRow['revision_id'];
  readonly length: number;
}

/** The policy to try, with the model that would embed the chunks. */
interface Tried {
  readonly policy: IngestionPolicy;
  readonly embedder: Embedder;
  /** Properties that the answer contains for every document. */
  readonly warnings: readonly DryRunWarning[];
}

/** Tries a policy on stored texts. Writes nothing. */
@Injectable()
export class DryRunService {
  constructor(
    private readonly access: DatasetAccess,
    private readonly documents: DocumentsService,
    private readonly policies: IngestionPolicies,
    private readonly texts: RevisionTextRepository,
    private readonly repository: DryRunRepository,
    private readonly models: InstalledModels,
  ) {}

  /**
   * @throws `datasets.not_found`, `ingestion_policy.invalid`, `documents.not_found`, `documents.quarantined`,
   * `documents.text_not_ready`
   */
  async run(
    ctx: RequestContext,
    datasetId: string,
    request: DryRunRequest,
    signal: AbortSignal,
  ): Promise<DryRunResult> {
    const dataset = await this.access.requireVisible(ctx, datasetId);
    const policy = requireValidPolicy(request.policy, '/policy');
    const found: ReadableText[] = [];
    const archives: DryRunArchive[] = [];
    const ids = [...new Set(request.document_ids.map((each) => each.toLowerCase()))];
    for (const [index, id] of ids.entries()) {
      const row = await this.findRow(ctx, dataset.id, id);
      if (!isSplit(row)) found.push(await this.findText(ctx, row));
      else {
        const room = MOST_DOCUMENTS - found.length - (ids.length - index - 1);
        const { texts, archive } = await this.findParts(ctx, row, room);
        found.push(...texts);
        archives.push({ ...archive, warnings: warningsForArchive(policy) });
      }
    }
    const tried = {
      policy,
      embedder: this.models.embedderFor(dataset.embeddingSpace),
      warnings: policyWarnings(this.models, policy, dataset.embeddingSpace),
    };
    const documents: DryRunDocument[] = [];
    for (const text of found) documents.push(await this.tryOn(ctx, text, tried, signal));
    return { documents, archives };
  }

  private async findRow(ctx: RequestContext, datasetId: string, documentId: string): Promise<DocumentRow> {
    const row = await this.documents.requireReadable(ctx, documentId, 'dry_run');
    if (row.dataset_id !== datasetId) throw documentErrors.not_found({});
    return row;
  }

  /** The first files of an archive that can be read, at most `room`. */
  private async findParts(
    ctx: RequestContext,
    { id, name, dataset_id: datasetId }: DocumentRow,
    room: number,
  ): Promise<{ readonly texts: readonly ReadableText[]; readonly archive: Omit<DryRunArchive, 'warnings'> }> {
    const parts = await this.repository.listParts(ctx, id, MOST_PARTS);
    const texts: ReadableText[] = [];
    const left_out: DryRunLeftOut[] = [];
    for (const part of parts) {
      if (texts.length >= room) break;
      try {
        texts.push(await this.findText(ctx, await this.findRow(ctx, datasetId, part.id)));
      } catch (error) {
        const code = catalogueErrorOf(error)?.code;
        if (code === undefined || !LEFT_OUT.has(code)) throw error;
        left_out.push({ document_id: part.id, path: part.path, code });
      }
    }
    const counts = { file_count: parts[0]?.total ?? 0, tried_count: texts.length };
    return { texts, archive: { document_id: id, document_name: name, ...counts, left_out } };
  }

  private async findText(ctx: RequestContext, row: DocumentRow): Promise<ReadableText> {
    const revisionId = row.visible_revision_id ?? row.revision_id;
    const revision = await this.texts.find(ctx, revisionId);
    if (revision === undefined || revision.text_fingerprint === null) {
      throw documentErrors.text_not_ready({ status: row.status });
    }
    return { row, revisionId, length: Number(revision.text_length ?? 0) };
  }

  private async tryOn(
    ctx: RequestContext,
    text: ReadableText,
    { policy, embedder, warnings }: Tried,
    signal: AbortSignal,
  ): Promise<DryRunDocument> {
    const { row, revisionId, length } = text;
    const version = row.ingested_policy_version ?? row.policy_version;
    const ingested = await this.policies.version(ctx, row.dataset_id, version);
    const segments = (): AsyncIterable<TextSegment> =>
      firstPart(this.texts.read(ctx, revisionId, false), MOST_CHARACTERS);
    const file = {
      mediaType: row.media_type,
      sizeBytes: Number(row.size_bytes),
      isPart: row.archive_id !== null,
      length,
    };
    const { options } = await fitChunking(segments, policy, embedder, signal);
    return {
      document_id: row.id,
      document_name: row.name,
      path: row.path,
      archive_id: row.archive_id,
      text_truncated: length > MOST_CHARACTERS,
      before: await this.readShown(ctx, row, version),
      after: await chunkAll(segments(), options, signal),
      warnings: [...warnings, ...warningsFor(file, policy, ingested)],
    };
  }

  private async readShown(ctx: RequestContext, row: DocumentRow, version: number): Promise<DryRunChunks | null> {
    const setId = contentOf(row).chunkSetId;
    if (setId === null) return null;
    const { chunks, tokens } = await this.repository.count(ctx, setId, MOST_CHARACTERS);
    const sample = new ChunkSample();
    for (const chunk of await this.repository.list(ctx, setId, MOST_CHARACTERS, ChunkSample.MOST_CHUNKS)) {
      sample.add({
        ordinal: chunk.ordinal,
        char_start: Number(chunk.text_start),
        char_end: Number(chunk.text_end),
        token_count: chunk.token_count,
        heading_path: [...chunk.heading_path],
        text: chunk.body,
      });
    }
    return sample.describe({ policy_version: version, chunk_count: chunks, token_count: tokens });
  }
}

async function chunkAll(
  segments: AsyncIterable<TextSegment>,
  options: ChunkingOptions,
  signal: AbortSignal,
): Promise<DryRunChunks> {
  const sample = new ChunkSample();
  let count = 0;
  let tokens = 0;
  for await (const chunk of chunkBlocks(segments, options)) {
    sample.add({
      ordinal: chunk.ordinal,
      char_start: chunk.start,
      char_end: chunk.end,
      token_count: chunk.tokenCount,
      heading_path: chunk.headingPath,
      text: chunk.text,
    });
    tokens += chunk.tokenCount;
    if (++count % CHUNKS_PER_BREATH !== 0) continue;
    signal.throwIfAborted();
    await yieldToRequests();
  }
  return sample.describe({ policy_version: null, chunk_count: count, token_count: tokens });
}

/** The segments up to a length; a block that continues beyond it is cut there. */
async function* firstPart(source: AsyncIterable<TextSegment>, length: number): AsyncGenerator<TextSegment> {
  for await (const segment of source) {
    if (segment.start >= length) return;
    const end = Math.min(segment.start + segment.text.length, length);
    yield {
      start: segment.start,
      text: segment.text.slice(0, end - segment.start),
      blocks: segment.blocks
        .filter((block) => block.start < length)
        .map((block) => (block.end > length ? { ...block, end: length } : block)),
    };
  }
}
