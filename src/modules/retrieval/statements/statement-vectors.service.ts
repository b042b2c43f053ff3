import { Injectable } from '@nestjs/common';
import type { Embedder, ModelCallOptions } from '#libs/ai';
import { mapBounded } from '#libs/common';

/** What a vector takes beside its numbers and the letters of its text, in bytes. */
const ENTRY_BYTES = 200;
const CALLS_AT_ONCE = 2;

/** Vectors of single statements, cached for later questions. A vector depends only on the model and the text. */
@Injectable()
export class StatementVectors {
  private readonly kept = new Map<string, Float32Array>();
  private bytes = 0;

  /** Keeps up to `maxBytes` in memory. */
  constructor(private readonly maxBytes: number) {}

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
    this.forget(key);
    this.kept.set(key, vector);
    this.bytes += bytesOf(key, vector);
    for (const oldest of this.kept.keys()) {
      if (this.bytes <= this.maxBytes) break;
      this.forget(oldest);
    }
  }

  private forget(key: string): void {
    const vector = this.kept.get(key);
    if (vector === undefined) return;
    this.bytes -= bytesOf(key, vector);
    this.kept.delete(key);
  }
}

function bytesOf(key: string, vector: Float32Array): number {
  return vector.byteLength + 2 * key.length + ENTRY_BYTES;
}
