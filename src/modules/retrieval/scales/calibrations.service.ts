import { Injectable } from '@nestjs/common';
import {
  Calibration,
  embedPairs,
  InstalledModels,
  scaleOf,
  trustIn,
  trustOf,
  type Embedder,
  type EmbeddingScale,
  type ModelCaller,
  type ProbePair,
} from '#libs/ai';
import { abortable, type DatasetId } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';
import { detectLanguage, splitSentences } from '#libs/text';
import type { VisibleDataset } from '../../datasets/index.js';
import type { DatasetContents } from '../snapshot/held-dataset.js';
import type { StepTimer } from '../request/step-timer.js';
import { NO_CALIBRATIONS, type Calibrations, type SpaceCalibration } from './calibrated-space.js';
import { EmbeddingScales } from './embedding-scales.service.js';
import { LanguageSampleRepository } from './language-sample.repository.js';

/** Number of chunks of a sample, their length, and the minimum number of them that suffices. */
const SAMPLED = 12;
const LENGTHS = { least: 160, most: 4_000 } as const;
const FEWEST = 6;
/** The end of a chunk and its beginning share names and words: what a model makes of that must be better than on the probe texts. */
const SAMPLE_STRANGE = 0.75;
const SAMPLE_FAMILIAR = 0.95;
const KEPT = 256;

/** What is asked, of what. */
export interface CalibratedQuestion {
  readonly query: string;
  readonly datasets: readonly VisibleDataset[];
  readonly options: { readonly searchMethod: string };
  readonly signal: AbortSignal;
  readonly timer: StepTimer;
}

/**
 * Decides how cosines are calibrated and how far vectors are trusted for a question in its language. Depends on the model, the language and,
 * where the language has no probe texts, the contents of the searched datasets; never on other questions, datasets or tenants.
 */
@Injectable()
export class CalibrationFinder {
  private readonly sampled = new Map<string, Promise<Sampled>>();

  constructor(
    private readonly scales: EmbeddingScales,
    private readonly samples: LanguageSampleRepository,
    private readonly models: InstalledModels,
  ) {}

  /** What `find` may wait for, once in the life of an installation. @throws the reason of `signal` after an abort */
  whenMeasured(signal?: AbortSignal): Promise<void> {
    return this.scales.whenMeasured(signal);
  }

  /** Empty where the search uses no vectors. @throws what a model throws */
  async find(
    ctx: RequestContext,
    question: CalibratedQuestion,
    contents: readonly DatasetContents[],
  ): Promise<Calibrations> {
    if (question.options.searchMethod === 'keyword') return NO_CALIBRATIONS;
    return question.timer.measure('embedding', () => this.findAll(ctx, question, contents));
  }

  private async findAll(
    ctx: RequestContext,
    question: CalibratedQuestion,
    contents: readonly DatasetContents[],
  ): Promise<Calibrations> {
    const found = new Map<string, SpaceCalibration>();
    for (const { model: embedder } of this.models.embedders.all) {
      if (!question.datasets.some(({ embeddingSpace }) => embeddingSpace === embedder.descriptor.space)) continue;
      const scale = await this.scales.of(embedder, question.signal);
      if (scale === null) continue;
      const { space } = embedder.descriptor;
      const mine = question.datasets.flatMap((dataset, at) =>
        dataset.embeddingSpace === space ? [{ dataset, contents: contents[at]! }] : [],
      );
      found.set(space, await this.calibrate(ctx, question, embedder, scale, mine));
    }
    return found;
  }

  private async calibrate(
    ctx: RequestContext,
    { query, signal }: CalibratedQuestion,
    embedder: Embedder,
    scale: EmbeddingScale,
    asked: readonly AskedDataset[],
  ): Promise<SpaceCalibration> {
    const detected = detectLanguage(query).language;
    const language = detected === 'und' ? usualLanguage(asked) : detected;
    // All datasets of a search are calibrated, or none: where one keeps its cosines as they are, all do.
    const isCalibrated = asked.every(({ dataset }) => dataset.isCalibrated);
    const own = language === null ? undefined : scale.pairs[language]?.[language];
    if (language !== null && own !== undefined) {
      const calibration = isCalibrated ? new Calibration(scale, language) : null;
      const measured = trustOf(own.discrimination);
      return { trust: trustIn(embedder.descriptor, language, measured), language, source: 'probes', calibration };
    }
    const { trust, pair } = await abortable(this.sample(ctx, embedder, language, asked), signal);
    const scaled = pair === null ? meanScale(scale) : pair;
    const key = language ?? 'und';
    const calibration = isCalibrated ? new Calibration({ ...scale, pairs: { [key]: { [key]: scaled } } }, key) : null;
    const measured = trust ?? meanTrust(scale);
    const source = trust === null ? 'none' : 'sample';
    return { trust: trustIn(embedder.descriptor, language, measured), language, source, calibration };
  }

  /** Kept for contents that have not changed. */
  private sample(
    { tenantId, principal, requestId }: RequestContext,
    embedder: Embedder,
    language: string | null,
    asked: readonly AskedDataset[],
  ): Promise<Sampled> {
    const { space } = embedder.descriptor;
    const parts = asked.map(({ dataset: { id }, contents: { seq } }) => `${id}@${seq}`).toSorted();
    const key = [tenantId, space, language ?? '', ...parts].join(' ');
    const kept = this.sampled.get(key);
    if (kept !== undefined) return kept;
    const ids = asked.map(({ dataset: { id } }) => id);
    const made = this.measure({ tenantId, principal, requestId }, embedder, language, ids);
    this.sampled.set(key, made);
    made.catch(() => this.sampled.delete(key));
    for (const oldest of this.sampled.keys()) {
      if (this.sampled.size <= KEPT) break;
      this.sampled.delete(oldest);
    }
    return made;
  }

  private async measure(
    ctx: RequestContext,
    embedder: Embedder,
    language: string | null,
    datasetIds: readonly DatasetId[],
  ): Promise<Sampled> {
    const texts = await this.samples.sample(ctx, datasetIds, language, LENGTHS, SAMPLED * 2);
    const pairs = texts.flatMap(toPair).slice(0, SAMPLED);
    if (pairs.length < FEWEST) return { trust: null, pair: null };
    const caller: ModelCaller = { tenantId: ctx.tenantId, datasetIds, purpose: 'search' };
    const pair = scaleOf(await embedPairs(embedder, pairs, { caller }));
    return { trust: trustOf(pair.discrimination, SAMPLE_STRANGE, SAMPLE_FAMILIAR), pair };
  }
}

interface AskedDataset {
  readonly dataset: VisibleDataset;
  readonly contents: DatasetContents;
}

interface Sampled {
  readonly trust: number | null;
  readonly pair: EmbeddingScale['pairs'][string][string] | null;
}

/** Uses the last sentence of a text as a question about the text before it; undefined for a text of one sentence. */
function toPair(text: string): ProbePair[] {
  const sentences = splitSentences(text)
    .map(({ start, end }) => text.slice(start, end).trim())
    .filter((sentence) => sentence !== '');
  const last = sentences.pop();
  return last === undefined || sentences.length === 0 ? [] : [[last, sentences.join(' ')]];
}

/** The language of most documents, of equally frequent ones the first by name; null where none is known. */
function usualLanguage(asked: readonly AskedDataset[]): string | null {
  const counts = new Map<string, number>();
  for (const { contents } of asked)
    for (const { language } of contents.counted.values())
      if (language !== null && language !== 'und') counts.set(language, (counts.get(language) ?? 0) + 1);
  const [first] = [...counts].toSorted(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
  return first?.[0] ?? null;
}

function meanTrust({ pairs }: EmbeddingScale): number {
  const trusts = Object.entries(pairs).map(([language, of]) => trustOf(of[language]?.discrimination ?? 0));
  return trusts.reduce((sum, value) => sum + value, 0) / Math.max(1, trusts.length);
}

/** The middle one of the languages' own scales by the level of unrelated texts. */
function meanScale({ pairs }: EmbeddingScale): EmbeddingScale['pairs'][string][string] {
  const own = Object.entries(pairs).flatMap(([language, of]) => of[language] ?? []);
  return own.toSorted((a, b) => a.unrelated - b.unrelated)[own.length >> 1]!;
}
