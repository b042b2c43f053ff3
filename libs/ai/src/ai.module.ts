import { type DynamicModule, Global, Module } from '@nestjs/common';
import { aiErrors } from './ai.errors.js';
import { ChatModel } from './chat-model.port.js';
import { Embedder } from './embedder.port.js';
import type { LocalModelOptions } from './local/model-folder.js';
import type { ModelDecorator, ModelProvider } from './model-call.js';
import { Reranker } from './reranker.port.js';

export interface AiModuleOptions {
  /** `EMBEDDING_PROVIDER`. */
  readonly embedding: ModelProvider;
  /** The model of `EMBEDDING_PROVIDER=local`; required with it. */
  readonly localEmbedding?: LocalModelOptions;
  /** `RERANK_PROVIDER`. */
  readonly rerank: ModelProvider;
  /** `CHAT_PROVIDER`. */
  readonly chat: ModelProvider;
  /** Applied to the adapters that the settings choose. */
  readonly decorators?: {
    readonly embedder?: ModelDecorator<Embedder>;
    readonly reranker?: ModelDecorator<Reranker>;
    readonly chatModel?: ModelDecorator<ChatModel>;
  };
}

/** Makes an adapter, whose code is loaded only then; null while this version has none for the value. */
type Loader<Port> = ((options: AiModuleOptions) => Promise<Port>) | null;
type Adapters<Port> = Readonly<Record<ModelProvider, Loader<Port>>>;

const EMBEDDERS: Adapters<Embedder> = {
  builtin: async () => new (await import('./builtin/hashing-embedder.js')).HashingEmbedder(),
  local: async ({ localEmbedding }) =>
    (await import('./local/local-embedder.js')).LocalEmbedder.load(localEmbedding ?? { path: '' }),
  cohere: null,
  openai: null,
};

const RERANKERS: Adapters<Reranker> = {
  builtin: async () => new (await import('./builtin/lexical-reranker.js')).LexicalReranker(),
  local: null,
  cohere: null,
  openai: null,
};

const CHAT_MODELS: Adapters<ChatModel> = {
  builtin: async () => new (await import('./builtin/extractive-chat-model.js')).ExtractiveChatModel(),
  local: null,
  cohere: null,
  openai: null,
};

/**
 * Makes the three models that the options choose, for programs that need them without Nest.
 * @throws `ai.provider_not_available` that names every setting whose value this version cannot serve.
 */
export async function createModels(
  options: AiModuleOptions,
): Promise<{ embedder: Embedder; reranker: Reranker; chatModel: ChatModel }> {
  const loaders = chooseLoaders(options);
  const [embedder, reranker, chatModel] = await Promise.all([
    loaders.embedder(options),
    loaders.reranker(options),
    loaders.chatModel(options),
  ]);
  return { embedder, reranker, chatModel };
}

function chooseLoaders(options: AiModuleOptions) {
  const embedder = EMBEDDERS[options.embedding];
  const reranker = RERANKERS[options.rerank];
  const chatModel = CHAT_MODELS[options.chat];
  if (embedder !== null && reranker !== null && chatModel !== null) return { embedder, reranker, chatModel };
  const settings: string[] = [];
  if (embedder === null) settings.push(`EMBEDDING_PROVIDER=${options.embedding}`);
  if (reranker === null) settings.push(`RERANK_PROVIDER=${options.rerank}`);
  if (chatModel === null) settings.push(`CHAT_PROVIDER=${options.chat}`);
  throw aiErrors.provider_not_available({ settings, available: ['builtin (EMBEDDING_PROVIDER also local)'] });
}

function decorated<Port>(adapter: Port, decorator: ModelDecorator<Port> | undefined): Port {
  return decorator === undefined ? adapter : decorator(adapter);
}

/** Provides `Embedder`, `Reranker` and `ChatModel` everywhere. */
@Global()
@Module({})
export class AiModule {
  /** @throws `ai.provider_not_available` at once, so that the start fails before anything else is opened. */
  static forRoot(options: AiModuleOptions): DynamicModule {
    const { embedder, reranker, chatModel } = chooseLoaders(options);
    const { decorators = {} } = options;
    return {
      module: AiModule,
      providers: [
        { provide: Embedder, useFactory: async () => decorated(await embedder(options), decorators.embedder) },
        { provide: Reranker, useFactory: async () => decorated(await reranker(options), decorators.reranker) },
        { provide: ChatModel, useFactory: async () => decorated(await chatModel(options), decorators.chatModel) },
      ],
      exports: [Embedder, Reranker, ChatModel],
    };
  }
}
