import { Injectable } from '@nestjs/common';
import type { EmbeddedTexts, Embedder, ModelCaller } from '#libs/ai';
import type { DocumentId } from '#libs/common';
import { DependencyGates } from '../../documents/index.js';
import type { ChunkToEmbed } from '../chunks/chunk-set.repository.js';
import { textToEmbed } from './text-to-embed.js';

/** The parts of a chunk that the model gets. */
export type EmbeddableChunk = Pick<ChunkToEmbed, 'body' | 'heading_path' | 'context'> & {
  readonly documentId: DocumentId;
};

/** Embeds chunks; a model that asks for a pause is called again after it. */
@Injectable()
export class ChunkEmbedder {
  constructor(private readonly gates: DependencyGates) {}

  /** The vectors of chunks, in the same order, with as few calls as the model allows. @throws Postponed */
  async embed(
    embedder: Embedder,
    chunks: readonly EmbeddableChunk[],
    caller: ModelCaller,
    signal: AbortSignal,
  ): Promise<Float32Array[]> {
    const { maxBatchSize, space } = embedder.descriptor;
    const vectors: Float32Array[] = [];
    for (let from = 0; from < chunks.length; from += maxBatchSize) {
      const batch = chunks.slice(from, from + maxBatchSize);
      const options = { signal, caller, documentIds: batch.map(({ documentId }) => documentId) };
      const embed = (): Promise<EmbeddedTexts> => embedder.embed(batch.map(textToEmbed), 'document', options);
      const embedded = await this.gates.ofEmbedder(space).run(embed, signal);
      vectors.push(...embedded.vectors);
    }
    return vectors;
  }
}
