import type { DatasetId, DocumentId } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';
import type { ExplainedChunkRow, ExplainedScope, ExplainRepository } from './explain.repository.js';
import { foldedPatterns, foldText } from './folded-text.js';

/** This many chunks of what is expected are looked at one by one. */
export const CHUNKS_MAX = 1_000;
const PAGE = 200;
const SEGMENTS_PER_READ = 16;
/** Maximum number of documents whose whole text is searched for a text that is in no chunk. */
const DOCUMENTS_MAX = 200;

/** Looks for a text in what documents show. */
export class ExpectedTexts {
  constructor(private readonly repository: ExplainRepository) {}

  /** Shown chunks that hold the folded text, at most `CHUNKS_MAX`, by id. */
  async findChunks(
    ctx: RequestContext,
    scope: ExplainedScope,
    folded: string,
    signal: AbortSignal,
  ): Promise<ExplainedChunkRow[]> {
    const patterns = foldedPatterns(folded);
    const found: ExplainedChunkRow[] = [];
    for (let after: string | null = null; found.length < CHUNKS_MAX;) {
      signal.throwIfAborted();
      const rows: ExplainedChunkRow[] = await this.repository.listMatchingChunks(ctx, scope, patterns, {
        after,
        limit: PAGE,
      });
      found.push(...rows.filter(({ body }) => foldText(body).includes(folded)));
      if (rows.length < PAGE) break;
      after = rows.at(-1)!.id;
    }
    return found.slice(0, CHUNKS_MAX);
  }

  /** Whether the folded text is anywhere in a revision's canonical text, also across stretches of it. */
  async isInText(ctx: RequestContext, revisionId: string, folded: string, signal: AbortSignal): Promise<boolean> {
    let window = '';
    for (let from = 0; ;) {
      signal.throwIfAborted();
      const segments = await this.repository.listSegments(ctx, revisionId, from, SEGMENTS_PER_READ);
      for (const segment of segments) {
        window = foldKeepingEnds(window + segment.body);
        if (window.includes(folded)) return true;
        window = window.slice(-folded.length);
      }
      if (segments.length < SEGMENTS_PER_READ) return false;
      from = Number(segments.at(-1)!.text_end);
    }
  }

  /** The first document that is searchable and holds the text, though none of its chunks does. */
  async findInTexts(
    ctx: RequestContext,
    scope: ExplainedScope,
    text: string,
    signal: AbortSignal,
  ): Promise<DocumentId | undefined> {
    const found = await this.repository.listMatchingDocuments(ctx, scope, foldedPatterns(text)[0]!, DOCUMENTS_MAX);
    return this.firstOf(ctx, found, text, signal);
  }

  /** The first document in quarantine that holds the text. For who may read such texts. */
  async findInQuarantine(
    ctx: RequestContext,
    datasetIds: readonly DatasetId[],
    text: string,
    signal: AbortSignal,
  ): Promise<DocumentId | undefined> {
    const pattern = foldedPatterns(text)[0]!;
    const found = await this.repository.listMatchingQuarantined(ctx, datasetIds, pattern, DOCUMENTS_MAX);
    return this.firstOf(ctx, found, text, signal);
  }

  private async firstOf(
    ctx: RequestContext,
    documents: readonly { readonly id: DocumentId; readonly text_revision_id: string }[],
    text: string,
    signal: AbortSignal,
  ): Promise<DocumentId | undefined> {
    const folded = foldText(text);
    for (const { id, text_revision_id: revision } of documents) {
      if (await this.isInText(ctx, revision, folded, signal)) return id;
    }
    return undefined;
  }
}

/** As `foldText`, with white space at the ends, beside which more text may come. */
function foldKeepingEnds(text: string): string {
  return text.replaceAll(/\s+/gu, ' ').toLowerCase();
}
