import { Injectable } from '@nestjs/common';
import { estimateUsage, mostTokensOf } from '#libs/ai';
import type { RequestContext } from '#libs/tenancy';
import { KgDocumentsRepository, type WantedDocuments } from '../graphs/kg-documents.repository.js';
import { ChunkAnswersRepository } from './chunk-answers.repository.js';
import { answerKeyOf, GraphModel, type GraphReader } from './graph-model.service.js';
import { graphTask } from './graph-prompt.js';
import { passagesOf, type Passage } from './passages.js';

const PAGE = 100;
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';
/** Maximum number of passages that are looked up one by one; those beyond it count as not read. */
const MOST_LOOKED_AT = 20_000;
const TOGETHER = 64;
/** Tokens of an answer: a constant for its form, and a share of the passage's tokens for what it names. */
const FORM_TOKENS = 24;
const NAMED_SHARE = 0.4;

/** Estimated usage of an extraction by a chat model. */
export interface ModelEstimate {
  readonly cachedChunks: number;
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Budget in tokens with which no call is refused; repeated calls are not included. */
  readonly mostTokens: number;
  /** Null where the model has no price. */
  readonly cost: number | null;
}

interface Sums {
  cached: number;
  calls: number;
  input: number;
  output: number;
  most: number;
}

/** Estimates the usage of an extraction before it begins. Reads chunks and calls no model. */
@Injectable()
export class ModelEstimates {
  constructor(
    private readonly documents: KgDocumentsRepository,
    private readonly answers: ChunkAnswersRepository,
    private readonly models: GraphModel,
  ) {}

  async of(ctx: RequestContext, wanted: WantedDocuments, reader: GraphReader, chunks: number): Promise<ModelEstimate> {
    const sums: Sums = { cached: 0, calls: 0, input: 0, output: 0, most: 0 };
    let [page, seen]: [Passage[], number] = [[], 0];
    const look = async (): Promise<void> => {
      await this.add(ctx, { page, key: answerKeyOf(reader, wanted.types), types: wanted.types }, sums);
      page = [];
    };
    for await (const passage of this.openPassages(ctx, wanted)) {
      if (seen >= MOST_LOOKED_AT) break;
      seen += 1;
      page.push(passage);
      if (page.length === TOGETHER) await look();
    }
    if (page.length > 0) await look();
    if (seen >= MOST_LOOKED_AT) addUnseen(sums, chunks / MOST_LOOKED_AT);
    const usage = { inputTokens: sums.input, outputTokens: sums.output, requests: sums.calls };
    const cost = this.models.costOf(reader, usage);
    return {
      cachedChunks: sums.cached,
      calls: sums.calls,
      inputTokens: sums.input,
      outputTokens: sums.output,
      mostTokens: sums.most,
      cost: sums.calls === 0 ? 0 : cost,
    };
  }

  private async *openPassages(ctx: RequestContext, wanted: WantedDocuments): AsyncGenerator<Passage> {
    for (let after: string = BEFORE_ALL; ;) {
      const listed = await this.documents.listNext(ctx, wanted, after, PAGE);
      for (const document of listed) {
        if (document.done) continue;
        for await (const chunk of this.documents.readChunks(ctx, document.chunk_set_id)) yield* passagesOf(chunk);
      }
      const last = listed.at(-1);
      if (last === undefined) return;
      after = last.id;
    }
  }

  private async add(
    ctx: RequestContext,
    {
      page,
      key,
      types,
    }: { readonly page: readonly Passage[]; readonly key: string; readonly types: WantedDocuments['types'] },
    sums: Sums,
  ): Promise<void> {
    const hashes = page.map(({ hash }) => hash);
    // As a run that begins now: what was skipped is asked about again.
    const known = await this.answers.find(ctx, key, hashes, new Date());
    for (const passage of page) {
      if (known.has(passage.hash.toString('hex'))) {
        sums.cached += 1;
        continue;
      }
      const { instructions, prompt, maxTokens } = graphTask(passage, types);
      const { inputTokens } = estimateUsage([instructions, prompt]);
      const own = estimateUsage([passage.text]).inputTokens;
      sums.calls += 1;
      sums.input += inputTokens;
      sums.output += Math.min(maxTokens, FORM_TOKENS + Math.ceil(own * NAMED_SHARE));
      sums.most += mostTokensOf([instructions, prompt]) + maxTokens;
    }
  }
}

/** Extrapolates to the passages that were not looked up, as if none of them was read before. */
function addUnseen(sums: Sums, factor: number): void {
  if (factor <= 1) return;
  const perCall = sums.calls === 0 ? 0 : 1 / sums.calls;
  const unseen = Math.round((factor - 1) * MOST_LOOKED_AT);
  for (const name of ['input', 'output', 'most'] as const) sums[name] += Math.round(sums[name] * perCall * unseen);
  sums.calls += unseen;
}
