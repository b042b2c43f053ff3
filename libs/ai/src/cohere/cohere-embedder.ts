import { usable } from '../remote/remote-call.js';
import { RemoteEmbedder, type RemoteEmbeddingOptions } from '../remote/remote-embedder.js';
import { cohereClient, cohereModel, readCohereError, type CohereAccess } from './cohere-client.js';

export interface CohereEmbedderOptions extends CohereAccess, RemoteEmbeddingOptions {
  readonly model: string;
  readonly silenceMs: number;
}

/** Cohere's embedding models, by its second interface. @throws `ai.embedding_dimensions_unknown` */
export function openCohereEmbedder(options: CohereEmbedderOptions): Promise<RemoteEmbedder> {
  const client = cohereClient(options);
  const { model } = options;
  return RemoteEmbedder.open(
    cohereModel(model, options, options.silenceMs),
    {
      readError: readCohereError,
      send: async (call, texts, { purpose, dimensions }) => {
        const answer = await client.v2.embed(
          {
            model,
            texts: [...texts],
            inputType: purpose === 'query' ? 'search_query' : 'search_document',
            embeddingTypes: ['float'],
            truncate: 'END',
            ...(dimensions === null ? {} : { outputDimension: dimensions }),
          },
          { abortSignal: call.signal },
        );
        return usable(call, () => {
          const vectors: unknown = answer?.embeddings?.float;
          if (!Array.isArray(vectors)) throw new Error('the answer holds no list of vectors');
          const inputTokens = answer.meta?.billedUnits?.inputTokens ?? null;
          return { vectors: vectors.map((vector: unknown) => numbersOf(vector)), inputTokens };
        });
      },
    },
    options,
  );
}

function numbersOf(vector: unknown): readonly number[] {
  if (!Array.isArray(vector)) throw new Error('an entry of the answer is no vector');
  return vector as readonly number[];
}
