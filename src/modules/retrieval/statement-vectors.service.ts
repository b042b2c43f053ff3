import { Injectable } from '@nestjs/common';
import type { Embedder, ModelCallOptions } from '#libs/ai';
import { mapBounded } from '#libs/common';

/** Vectors that are kept: of some hundred results, 1.5 KB each. */
const KEPT = 4_096;
const CALLS_AT_ONCE = 2;

/** Vectors of single statements, kept for the next question that meets them. A vector depends on the model and the text alone. */
@Injectable()
export class StatementVectors {
  private readonly kept = new Map<string, Float32Array>();

  /** By text. @throws what the model throws */
  async of(
    embedder: Embedder,
    texts: readonly string[],
    options: ModelCallOptions,
  ): Promise<ReadonlyMap<string, Float32Array>> {
    const { space, maxBatchSize } = embedder.descriptor;
    const keyOf = (text: string): string => `${space}\n${text}`;
    const found = new Map<string, Float32Array>();
    const missing: string[] = [];
    for (const text of new Set(texts)) {
      const vector = this.kept.get(keyOf(text));
      if (vector === undefined) missing.push(text);
      else found.set(text, vector);
    }
    const batches = Array.from({ length: Math.ceil(missing.length / maxBatchSize) }, (_, at) =>
      missing.slice(at * maxBatchSize, (at + 1) * maxBatchSize),
    );
    await mapBounded(batches, CALLS_AT_ONCE, async (batch) => {
      const { vectors } = await embedder.embed(batch, 'document', options);
      for (const [at, text] of batch.entries()) found.set(text, vectors[at]!);
    });
    for (const [text, vector] of found) this.keep(keyOf(text), vector);
    return found;
  }

  /** What was used last is forgotten last. */
  private keep(key: string, vector: Float32Array): void {
    this.kept.delete(key);
    this.kept.set(key, vector);
    const [oldest] = this.kept.size > KEPT ? this.kept.keys() : [];
    if (oldest !== undefined) this.kept.delete(oldest);
  }
}
