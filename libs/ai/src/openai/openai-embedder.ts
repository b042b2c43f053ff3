import type { EmbeddingCreateParams } from 'openai/resources/embeddings';
import { floatsOfBase64 } from '../remote/embedding-answer.js';
import { usable } from '../remote/remote-call.js';
import { RemoteEmbedder, type RemoteEmbeddingOptions } from '../remote/remote-embedder.js';
import { openAiClient, openAiModel, readOpenAiError, type OpenAiAccess } from './openai-client.js';

export interface OpenAiEmbedderOptions extends OpenAiAccess, RemoteEmbeddingOptions {
  readonly model: string;
  readonly silenceMs: number;
}

interface EmbeddingAnswer {
  readonly data?: readonly { readonly index?: number; readonly embedding?: string | readonly number[] }[];
  readonly usage?: { readonly prompt_tokens?: number };
}

/** An embedding model behind `POST {base}/embeddings`. @throws `ai.embedding_dimensions_unknown` */
export function openOpenAiEmbedder(options: OpenAiEmbedderOptions): Promise<RemoteEmbedder> {
  const client = openAiClient(options);
  const { model } = options;
  return RemoteEmbedder.open(
    openAiModel(model, options, options.silenceMs),
    {
      readError: readOpenAiError,
      send: async (call, texts, { dimensions }) => {
        const wanted = dimensions === null ? {} : { dimensions };
        const body: EmbeddingCreateParams = { model, input: [...texts], encoding_format: 'base64', ...wanted };
        const answer: unknown = await client.embeddings.create(body, { signal: call.signal });
        return usable(call, () => readAnswer((answer ?? {}) as EmbeddingAnswer));
      },
    },
    options,
  );
}

/** Servers that do not know base64 answer with numbers; some put the vectors into another order. */
function readAnswer({ data, usage }: EmbeddingAnswer): { vectors: ArrayLike<number>[]; inputTokens: number | null } {
  if (!Array.isArray(data)) throw new Error('the answer holds no list of vectors');
  const rows = data as NonNullable<EmbeddingAnswer['data']>;
  const ordered = rows.map((row, at) => ({ place: row.index ?? at, embedding: row.embedding }));
  ordered.sort((a, b) => a.place - b.place);
  if (ordered.some(({ place }, at) => place !== at))
    throw new Error('the vectors are not numbered one after the other');
  const vectors = ordered.map(({ embedding }) => {
    if (typeof embedding === 'string') return floatsOfBase64(embedding);
    if (!Array.isArray(embedding)) throw new Error('an entry of the answer holds no vector');
    return embedding as readonly number[];
  });
  return { vectors, inputTokens: usage?.prompt_tokens ?? null };
}
