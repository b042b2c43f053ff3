import { Injectable } from '@nestjs/common';
import { InstalledModels, type Embedder } from '#libs/ai';
import { Settings } from '#libs/config';
import { MASK } from '#libs/detectors';
import { ObjectStorage, parseObjectKey } from '#libs/object-storage';
import { DocumentParser, ParseError, readSegments, type ParsedDocument } from '#libs/parsing';
import { yieldToRequests } from '#libs/tasks';
import type { RequestContext } from '#libs/tenancy';
import { chunkBlocks, type TextSegment } from '#libs/text';
import type { VisibleDataset } from '../../datasets/index.js';
import { identityOf } from '../../documents/index.js';
import { allTypesUnder, countInContent } from '../../governance/index.js';
import { fitChunking, parsePlanOf, withoutContent } from '../../ingestion/index.js';
import type { IngestionPolicy } from '../../ingestion-policy/index.js';
import {
  reportFailure,
  reportOn,
  TextTraits,
  type FileSurroundings,
  type MeasuredFile,
  type Namesake,
} from './file-checks.js';
import type { FileReport } from './file-report.js';
import { PrecheckFilesRepository, type FileSource, type PrecheckFile } from './precheck-files.repository.js';
import { PrecheckFolders } from './precheck-folders.service.js';

/** Milliseconds of ingestion per token for a dataset that has ingested nothing yet. */
const USUAL_RATE = 0.15;
const TOKENS_PER_PRICE = 1_000_000;
const CHUNKS_PER_BREATH = 8;

/** Whether the scan had the same file before, or one with the same name but another content. */
export interface MetBefore {
  readonly isRepeated: boolean;
  readonly isNamesake: boolean;
}

/** Parameters of an examination. */
interface Measuring {
  readonly policy: IngestionPolicy;
  /** The embedding model of the dataset's vectors. */
  readonly embedder: Embedder;
  /** Milliseconds of ingestion per token. */
  readonly rate: number;
}

/** Parses and chunks files like ingestion, in the same isolated processes. Embeds and writes nothing. */
@Injectable()
export class FileExamination {
  constructor(
    private readonly files: PrecheckFilesRepository,
    private readonly storage: ObjectStorage,
    private readonly parser: DocumentParser,
    private readonly folders: PrecheckFolders,
    private readonly settings: Settings,
    private readonly models: InstalledModels,
  ) {}

  /**
   * Undefined when the document has been deleted or quarantined. `isRepeated`: the scan had the same file before; `isNamesake`: it had a
   * file with the same name but another content.
   */
  async examine(
    ctx: RequestContext,
    dataset: VisibleDataset,
    file: PrecheckFile,
    policy: IngestionPolicy,
    { isRepeated, isNamesake, signal }: MetBefore & { readonly signal: AbortSignal },
  ): Promise<FileReport | undefined> {
    const source =
      file.document_id === null ? sourceOfSample(file) : await this.files.findSource(ctx, file.document_id);
    if (source === undefined) return undefined;
    const around: FileSurroundings = {
      isDuplicate: isRepeated || (await this.files.hasSame(ctx, dataset.id, file.sha256, file.document_id)),
      namesake: await this.namesakeOf(ctx, dataset, file, source, isNamesake),
      sizeBytes: Number(file.size_bytes),
      maxBytes: policy.governance.max_bytes,
      ocr: policy.parsing.ocr,
    };
    const embedder = this.models.embedderFor(dataset.embeddingSpace);
    const rate = (await this.files.measureRate(ctx, dataset.id)) ?? USUAL_RATE;
    try {
      return await this.folders.use(async (folder) => {
        const parsed = await this.parse(file, source, policy, folder, signal);
        const text = await this.measure(parsed, { policy, embedder, rate }, signal);
        const findings = await countFindings(parsed, source, policy, signal);
        return reportOn(parsed, { ...text, findings }, around);
      });
    } catch (error) {
      if (error instanceof ParseError && !error.retryable) return reportFailure(withoutContent(error, policy), around);
      throw error;
    }
  }

  private async namesakeOf(
    ctx: RequestContext,
    dataset: VisibleDataset,
    file: PrecheckFile,
    source: FileSource,
    isMet: boolean,
  ): Promise<Namesake | null> {
    const name = identityOf(source);
    // A file that already is a document does not become a revision, and a masked name replaces nothing.
    const isRevised = file.document_id === null && dataset.onSameName === 'new_revision' && !name.includes(MASK);
    const documentId = await this.files.findNamesake(ctx, dataset.id, name, file);
    if (documentId !== undefined) return { documentId, isRevised };
    return isMet ? { documentId: null, isRevised } : null;
  }

  private parse(
    file: PrecheckFile,
    source: FileSource,
    policy: IngestionPolicy,
    workDirectory: string,
    signal: AbortSignal,
  ): Promise<ParsedDocument> {
    const { options } = parsePlanOf(policy, file, this.settings.values.maxTextCharacters);
    const declared = file.declared_media_type === null ? {} : { declaredMediaType: file.declared_media_type };
    return this.storage.withLocalFile(
      parseObjectKey(source.blob_key),
      (path) =>
        this.parser.parse({ path, fileName: source.file_name, workDirectory, options, ...declared }, { signal }),
      { signal },
    );
  }

  private async measure(
    parsed: ParsedDocument,
    { policy, embedder, rate }: Measuring,
    signal: AbortSignal,
  ): Promise<Omit<MeasuredFile, 'findings'>> {
    const traits = new TextTraits();
    const { options } = await fitChunking(() => readSegments(parsed), policy, embedder, signal);
    let [chunks, tokens] = [0, 0];
    for await (const chunk of chunkBlocks(watched(parsed, traits), options)) {
      chunks += 1;
      tokens += chunk.tokenCount;
      if (chunks % CHUNKS_PER_BREATH === 0) await yieldToRequests(signal);
    }
    const prediction = {
      chunks,
      tokens,
      characters: parsed.textLength,
      milliseconds: Math.round(tokens * rate),
      cost: this.costOf(embedder, tokens),
    };
    return { text: traits, prediction };
  }

  private costOf({ descriptor: { provider, model } }: Embedder, tokens: number): number {
    const { modelPrices: prices } = this.settings.values;
    const price = prices.get(`${provider}/${model}`) ?? prices.get(model);
    return price === undefined ? 0 : (tokens * price.input) / TOKENS_PER_PRICE;
  }
}

function sourceOfSample({ blob_key: key, name }: PrecheckFile): FileSource {
  return { blob_key: key ?? '', file_name: name ?? '', name: name ?? '', path: null, metadata: {}, tags: [] };
}

/** Numbers of findings of ingestion and rescans, by type. */
function countFindings(
  parsed: ParsedDocument,
  { name, path, metadata, tags }: FileSource,
  policy: IngestionPolicy,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, number>> {
  const { title = null, unseen = [] } = parsed;
  const content = { name, path, metadata, tags, title, unseen, text: readSegments(parsed) };
  return countInContent(content, allTypesUnder(policy), () => yieldToRequests(signal));
}

/** Passes the segments on and takes the counts that checks need. */
async function* watched(parsed: ParsedDocument, traits: TextTraits): AsyncGenerator<TextSegment> {
  for await (const segment of readSegments(parsed)) {
    traits.add(segment.text);
    const pages = new Map<number, { first: string; last: string }>();
    for (const block of segment.blocks) {
      if (block.page === undefined || block.end <= block.start) continue;
      const line = segment.text.slice(block.start - segment.start, block.end - segment.start);
      const page = pages.get(block.page);
      if (page === undefined) pages.set(block.page, { first: line, last: line });
      else page.last = line;
    }
    for (const { first, last } of pages.values()) {
      traits.addBorder(first.slice(0, 200));
      if (last !== first) traits.addBorder(last.slice(0, 200));
    }
    yield { ...segment, blocks: [...segment.blocks] };
  }
}
