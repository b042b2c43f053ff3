import { Injectable } from '@nestjs/common';
import {
  InstalledModels,
  KnownTrust,
  measureScale,
  trustIn,
  trustOf,
  type Embedder,
  type EmbeddingScale,
  type LanguageTrust,
  type MeaningCentre,
} from '#libs/ai';
import { abortable } from '#libs/common';
import { EmbeddingScalesRepository } from './embedding-scales.repository.js';

/** Maximum time that a search waits for the measurement of a model, in milliseconds. */
const MOST_WAIT_MS = 60_000;

/** Scales of the cosines in the spaces of the installation's models: measured once, then stored. */
@Injectable()
export class EmbeddingScales extends KnownTrust {
  private readonly known = new Map<string, EmbeddingScale>();
  private readonly measuring = new Map<string, Promise<EmbeddingScale>>();

  constructor(
    private readonly repository: EmbeddingScalesRepository,
    private readonly models: InstalledModels,
  ) {
    super();
  }

  /**
   * The scale of a model's space, measured if there is none. Null for a hashed embedding, which has no meaning to measure.
   * @throws what the model throws
   */
  async of(embedder: Embedder, signal?: AbortSignal): Promise<EmbeddingScale | null> {
    const { space, kind } = embedder.descriptor;
    if (kind === 'hashed') return null;
    const known = this.known.get(space) ?? (await this.repository.find(space));
    if (known === undefined) return abortable(this.measure(embedder), signal);
    this.known.set(space, known);
    return known;
  }

  /**
   * Resolves when the models that run within the service are measured. That takes some seconds, once in the life of an installation, and on a
   * busy machine longer than a search may take. A failure is reported by the search that needs the model. @throws the reason of `signal` after an
   * abort
   */
  async whenMeasured(signal?: AbortSignal): Promise<void> {
    const unknown = this.models.embedders.all.filter(
      ({ model: { descriptor }, formerOf }) =>
        formerOf === undefined && descriptor.answersFrom !== undefined && !this.known.has(descriptor.space),
    );
    if (unknown.length === 0) return;
    const limit = AbortSignal.timeout(MOST_WAIT_MS);
    const either = signal === undefined ? limit : AbortSignal.any([signal, limit]);
    await Promise.allSettled(unknown.map(({ model }) => this.of(model, either)));
    signal?.throwIfAborted();
  }

  /** The centre of the vectors of a model; null where it was not measured, which the start of the service does. */
  async centreOf({ descriptor }: Pick<Embedder, 'descriptor'>): Promise<MeaningCentre | null> {
    const scale = this.known.get(descriptor.space) ?? (await this.repository.find(descriptor.space));
    return scale?.centre ?? null;
  }

  /**
   * Measures every model of the installation that was not measured; a former model is measured when a dataset needs it. @throws what a model
   * throws, after the others were tried
   */
  async measureAll(): Promise<void> {
    const failures: unknown[] = [];
    for (const { model, formerOf } of this.models.embedders.all) {
      if (formerOf !== undefined) continue;
      await this.of(model)
        .then((scale) => (scale !== null && scale.centre === undefined ? this.complete(model) : undefined))
        .catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
  }

  /** Adds the centre to a scale that an earlier version measured; the scale itself stays. */
  private async complete(embedder: Embedder): Promise<void> {
    const { centre } = await measureScale(embedder);
    if (centre === undefined) return;
    const scale = await this.repository.addCentre(embedder.descriptor.space, centre);
    if (scale !== undefined) this.known.set(embedder.descriptor.space, scale);
  }

  override async trusted({ descriptor }: Pick<Embedder, 'descriptor'>): Promise<readonly LanguageTrust[] | null> {
    const scale = this.known.get(descriptor.space) ?? (await this.repository.find(descriptor.space));
    if (scale === undefined) return null;
    return Object.entries(scale.pairs).map(([language, pairs]) => ({
      language,
      trust: trustIn(descriptor, language, trustOf(pairs[language]?.discrimination ?? 0)),
    }));
  }

  /** One measurement of a space at a time in this process; of several processes, the first to finish counts. */
  private measure(embedder: Embedder): Promise<EmbeddingScale> {
    const { space } = embedder.descriptor;
    const running = this.measuring.get(space);
    if (running !== undefined) return running;
    const measuring = measureScale(embedder)
      .then((scale) => this.repository.keep(space, scale))
      .finally(() => this.measuring.delete(space));
    this.measuring.set(space, measuring);
    return measuring;
  }
}
