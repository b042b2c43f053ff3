/** What is published about an embedding model. */
export interface KnownEmbeddingModel {
  /** Length of its vectors unless another is asked for. */
  readonly dimensions: number;
  readonly maxTokens: number;
  /** Whether a request may ask for shorter vectors. */
  readonly canShorten: boolean;
}

/** What is published about a chat model. */
export interface KnownChatModel {
  readonly contextTokens: number;
  readonly maxOutputTokens: number;
  /** False for models that refuse `temperature` and `top_p`. */
  readonly takesTemperature: boolean;
}

/** Embedding models by the beginning of their name, the longest that fits decides. Others: `EMBEDDING_DIMENSIONS`, or a call at the start. */
const EMBEDDING_MODELS: Readonly<Record<string, KnownEmbeddingModel>> = {
  'text-embedding-3-small': { dimensions: 1536, maxTokens: 8191, canShorten: true },
  'text-embedding-3-large': { dimensions: 3072, maxTokens: 8191, canShorten: true },
  'text-embedding-ada-002': { dimensions: 1536, maxTokens: 8191, canShorten: false },
  'embed-v4.0': { dimensions: 1536, maxTokens: 128_000, canShorten: true },
  'embed-english-v3.0': { dimensions: 1024, maxTokens: 512, canShorten: false },
  'embed-multilingual-v3.0': { dimensions: 1024, maxTokens: 512, canShorten: false },
  'embed-english-light-v3.0': { dimensions: 384, maxTokens: 512, canShorten: false },
  'embed-multilingual-light-v3.0': { dimensions: 384, maxTokens: 512, canShorten: false },
};

/** Chat models by the beginning of their name, as above. Others: `CHAT_CONTEXT_TOKENS` and `CHAT_MAX_OUTPUT_TOKENS`. */
const CHAT_MODELS: Readonly<Record<string, KnownChatModel>> = {
  'gpt-4o': { contextTokens: 128_000, maxOutputTokens: 16_384, takesTemperature: true },
  'gpt-4.1': { contextTokens: 1_047_576, maxOutputTokens: 32_768, takesTemperature: true },
  'gpt-5': { contextTokens: 400_000, maxOutputTokens: 128_000, takesTemperature: false },
  o1: { contextTokens: 200_000, maxOutputTokens: 100_000, takesTemperature: false },
  o3: { contextTokens: 200_000, maxOutputTokens: 100_000, takesTemperature: false },
  'o4-mini': { contextTokens: 200_000, maxOutputTokens: 100_000, takesTemperature: false },
  'command-a': { contextTokens: 256_000, maxOutputTokens: 8_000, takesTemperature: true },
  'command-r': { contextTokens: 128_000, maxOutputTokens: 4_000, takesTemperature: true },
};

const UNKNOWN_CHAT_MODEL: KnownChatModel = { contextTokens: 16_384, maxOutputTokens: 4_096, takesTemperature: true };

/** Tokens of an answer for which neither the request nor `CHAT_MAX_OUTPUT_TOKENS` says how many it may have. */
const USUAL_OUTPUT_TOKENS = 4_096;

/** How long answers of a model may be, and how long they are unless a request says so. */
export function outputLimits(
  set: number,
  known: Pick<KnownChatModel, 'maxOutputTokens'>,
): { readonly maxOutputTokens: number; readonly defaultOutputTokens: number } {
  if (set > 0) return { maxOutputTokens: set, defaultOutputTokens: set };
  const { maxOutputTokens } = known;
  return { maxOutputTokens, defaultOutputTokens: Math.min(USUAL_OUTPUT_TOKENS, maxOutputTokens) };
}

function longestPrefix<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  // Gateways write the provider before the name: openai/gpt-4o.
  const bare = name.slice(name.lastIndexOf('/') + 1).toLowerCase();
  const fitting = Object.keys(table).filter((prefix) => bare.startsWith(prefix));
  const longest = fitting.sort((a, b) => b.length - a.length)[0];
  return longest === undefined ? undefined : table[longest];
}

export function findKnownEmbeddingModel(name: string): KnownEmbeddingModel | undefined {
  return longestPrefix(EMBEDDING_MODELS, name);
}

/** What is known of a chat model; careful figures for one that is not known. */
export function knownChatModel(name: string): KnownChatModel {
  return longestPrefix(CHAT_MODELS, name) ?? UNKNOWN_CHAT_MODEL;
}
