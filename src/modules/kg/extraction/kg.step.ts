import { Injectable } from '@nestjs/common';
import type { ModelUsage } from '#libs/ai';
import type { RequestContext } from '#libs/tenancy';
import type { GraphEntityType } from '../../ingestion-policy/index.js';
import {
  IngestionStep,
  StepFailed,
  type ChunkedState,
  type StepAttempt,
  type StepChunk,
  type StepOutput,
} from '../../content/index.js';
import { AnswerRows } from '../model/answer-rows.js';
import { ChunkAnswersRepository } from '../model/chunk-answers.repository.js';
import { ExtractionStopped, type ExtractionStop } from '../model/extraction-stop.js';
import { GraphModel, type GraphReader } from '../model/graph-model.service.js';
import { ModelExtraction } from '../model/model-extraction.service.js';
import { SkippedTally } from '../model/skipped-tally.js';
import { KgDocumentsRepository } from '../graphs/kg-documents.repository.js';
import {
  evidenceOf,
  HEURISTIC_EXTRACTOR,
  orderedTypes,
  type EvidenceRows,
  type ExtractedChunk,
} from '../graphs/kg-rows.js';
import { CallAccount, type KeptAnswer } from '../model/call-account.js';

/** The account of an ingestion. Only the tenant's budget limits it, which the model itself checks. */
class IngestionAccount extends CallAccount {
  constructor(private readonly answers: ChunkAnswersRepository) {
    super();
  }

  async reserve(): Promise<boolean> {
    return true;
  }

  async settle(
    ctx: RequestContext,
    _reserved: number,
    _usage: ModelUsage | null,
    answer: KeptAnswer | null,
  ): Promise<void> {
    if (answer !== null) await this.answers.keep(ctx, answer.documentId, answer.key, [answer]);
  }
}

const FAILED = 'KG_EXTRACTION_FAILED';
const SKIPPED = 'KG_CHUNKS_SKIPPED';

/** Mode and kinds of entities with which a document is extracted while it is ingested. */
type Way =
  | { readonly by: 'rules'; readonly types: readonly GraphEntityType[] }
  | { readonly by: 'model'; readonly types: readonly GraphEntityType[]; readonly mayAsk: boolean };

/**
 * Extracts a document's part of the graph while the document is ingested: where the policy says so, and where the document has a part already, so
 * that a reingest and a release keep it. Where the policy requests no model, a part that a model made is kept as far as that costs nothing.
 */
@Injectable()
@IngestionStep({
  name: 'kg',
  at: 'after_chunking',
  tables: ['kg_mentions', 'kg_relations', 'kg_extractions'],
  onFailure: 'warn',
})
export class KgStep implements IngestionStep<'after_chunking'> {
  constructor(
    private readonly documents: KgDocumentsRepository,
    private readonly models: GraphModel,
    private readonly extraction: ModelExtraction,
    private readonly answers: ChunkAnswersRepository,
  ) {}

  async *run(attempt: StepAttempt, state: ChunkedState): AsyncGenerator<StepOutput> {
    const way = await this.wayOf(attempt);
    if (way === null) return;
    yield* way.by === 'rules' ? byRules(attempt, state, way.types) : this.byModel(attempt, state, way);
  }

  private async *byModel(
    { ctx, document, signal }: StepAttempt,
    state: ChunkedState,
    { types, mayAsk }: Extract<Way, { by: 'model' }>,
  ): AsyncGenerator<StepOutput> {
    const reader = this.require();
    const account = new IngestionAccount(this.answers);
    const of = { ctx, documentId: document.id, datasetId: document.datasetId, signal };
    const order = { ...of, reader, types, account, mayAsk, skippedSince: null };
    const [rows, tally] = [new AnswerRows(), new SkippedTally()];
    try {
      for await (const { answered } of this.extraction.read(order, chunksOf(state.chunks()))) {
        tally.add(answered);
        yield* outputsOf(rows.rowsOf(answered));
      }
    } catch (error) {
      throw error instanceof ExtractionStopped ? failureOf(error.stop) : error;
    }
    const row = { extractor: reader.extractor, entity_types: [...types], skipped: tally.chunks };
    yield { kind: 'rows', table: 'kg_extractions', rows: [row] };
    if (tally.chunks === 0) return;
    const told = Object.entries(tally.all).map(([what, count]) => `${what}: ${count}`);
    const detail = `The chat model gave no usable answer for parts of the document (${told.join(', ')}). POST /kg/trigger with "mode": "llm" asks again.`;
    yield { kind: 'warning', code: SKIPPED, detail };
  }

  private require(): GraphReader {
    const reader = this.models.find();
    if (reader !== undefined) return reader;
    throw new StepFailed(FAILED, 'No chat model that writes text of its own is configured (CHAT_PROVIDER).');
  }

  /** Null: nothing is extracted. */
  private async wayOf({ ctx, document, policy }: StepAttempt): Promise<Way | null> {
    const types = orderedTypes(policy.kg.entity_types);
    if (policy.kg.mode === 'heuristic') return { by: 'rules', types };
    if (policy.kg.mode === 'llm') return { by: 'model', types, mayAsk: true };
    const former = await this.documents.findExtraction(ctx, document.id);
    if (former === undefined) return null;
    const formerTypes = orderedTypes(former.types);
    return former.extractor.startsWith('llm-')
      ? { by: 'model', types: formerTypes, mayAsk: false }
      : { by: 'rules', types: formerTypes };
  }
}

async function* byRules(
  { document, signal }: StepAttempt,
  state: ChunkedState,
  types: readonly GraphEntityType[],
): AsyncGenerator<StepOutput> {
  for await (const rows of evidenceOf(chunksOf(state.chunks()), document.name, types)) {
    signal.throwIfAborted();
    yield* outputsOf(rows);
  }
  yield { kind: 'rows', table: 'kg_extractions', rows: [{ extractor: HEURISTIC_EXTRACTOR, entity_types: [...types] }] };
}

function* outputsOf({ mentions, relations }: EvidenceRows): Generator<StepOutput> {
  yield { kind: 'rows', table: 'kg_mentions', rows: mentions };
  yield { kind: 'rows', table: 'kg_relations', rows: relations };
}

/** What was read is stored, so that a later extraction does not pay for it again. */
function failureOf(stop: ExtractionStop): StepFailed {
  const later = 'POST /kg/trigger with "mode": "llm" continues with what was read.';
  if (stop.kind === 'not_asked')
    return new StepFailed(FAILED, `The text is new and the policy does not set "kg": {"mode": "llm"}. ${later}`);
  if (stop.kind === 'closed') return new StepFailed(FAILED, 'The document was deleted, quarantined or changed.');
  return new StepFailed(FAILED, `${stop.code}: ${stop.message} ${later}`, stop.kind === 'later');
}

async function* chunksOf(chunks: AsyncIterable<StepChunk>): AsyncGenerator<ExtractedChunk> {
  for await (const { id, start, text, headingPath } of chunks) yield { id, start, text, headingPath };
}
