import { type DynamicModule, Global, Module } from '@nestjs/common';
import {
  openAdapter,
  openFormerOf,
  type AdapterPort,
  type AdapterValues,
  type FurtherModel,
  type FurtherModelPort,
} from '#libs/config';
import { aiErrors } from './ai.errors.js';
import { ChatModel } from './chat-model.port.js';
import type { ModelContext } from './define-models.js';
import { Embedder } from './embedder.port.js';
import { EntailmentModel } from './entailment-model.port.js';
import { GROUNDINGS } from './grounding-methods.js';
import {
  addFormer,
  EmbedderList,
  InstalledModels,
  ModelList,
  requireSpacesOfTheirOwn,
  type FormerEmbedder,
  type NamedModel,
} from './installed-models.js';
import { CHAT_MODELS, EMBEDDERS, RERANKERS } from './model-adapters.js';
import type { ModelDecorator } from './model-call.js';
import { Reranker } from './reranker.port.js';

export interface ModelChoice {
  /** `EMBEDDING_PROVIDER`. */
  readonly embedding: string;
  /** `RERANK_PROVIDER`. */
  readonly rerank: string;
  /** `CHAT_PROVIDER`. */
  readonly chat: string;
  /** The available models; default: those of this product. */
  readonly embedders?: AdapterPort<Embedder, ModelContext>;
  readonly rerankers?: AdapterPort<Reranker, ModelContext>;
  readonly chatModels?: AdapterPort<ChatModel, ModelContext>;
  /** Their settings by name. */
  readonly values?: AdapterValues;
}

/** Makes the decorators of a remote model. */
type DecoratorOf<Port> = (provider: string) => ModelDecorator<Port>;

export interface AiModuleOptions extends ModelChoice {
  /** Further models of MODELS_FILE, by their ids. */
  readonly further?: readonly FurtherModel[];
  /** `GROUNDING_METHOD`: decides whether there is an entailment model; there is none when left out. */
  readonly grounding?: string;
  /** Decorator of every adapter, of the configured and the further models. */
  readonly decorators?: {
    readonly embedder?: DecoratorOf<Embedder>;
    readonly reranker?: DecoratorOf<Reranker>;
    readonly chatModel?: DecoratorOf<ChatModel>;
    readonly entailmentModel?: DecoratorOf<EntailmentModel>;
  };
}

/** The configured embedding model without decorators. */
const OPENED_EMBEDDER = Symbol('OpenedEmbedder');

/** One port with what is chosen of it. */
interface Chosen<Port> {
  readonly port: AdapterPort<Port, ModelContext>;
  readonly kind: string;
}

function choose(choice: ModelChoice): {
  embedder: Chosen<Embedder>;
  reranker: Chosen<Reranker>;
  chat: Chosen<ChatModel>;
} {
  const { embedders = EMBEDDERS, rerankers = RERANKERS, chatModels = CHAT_MODELS } = choice;
  const chosen = {
    embedder: { port: embedders, kind: choice.embedding },
    reranker: { port: rerankers, kind: choice.rerank },
    chat: { port: chatModels, kind: choice.chat },
  };
  const absent = Object.values<Chosen<unknown>>(chosen).filter(
    ({ port, kind }) => !port.adapters.some((adapter) => adapter.kind === kind),
  );
  if (absent.length === 0) return chosen;
  throw aiErrors.provider_not_available({
    settings: absent.map(({ port, kind }) => `${port.setting}=${kind}`),
    available: absent.flatMap(({ port }) => port.adapters.map(({ kind }) => `${port.setting}=${kind}`)),
  });
}

function open<Port>({ port, kind }: Chosen<Port>, { values = {} }: ModelChoice): Promise<Port> {
  return openAdapter(port, kind, values, {});
}

/**
 * Makes the three configured models, for programs without Nest.
 * @throws `ai.provider_not_available` that names every setting whose value this version cannot serve.
 */
export async function createModels(
  choice: ModelChoice,
): Promise<{ embedder: Embedder; reranker: Reranker; chatModel: ChatModel }> {
  const chosen = choose(choice);
  const [embedder, reranker, chatModel] = await Promise.all([
    open(chosen.embedder, choice),
    open(chosen.reranker, choice),
    open(chosen.chat, choice),
  ]);
  return { embedder, reranker, chatModel };
}

function decorated<Port>(adapter: Port, provider: string, decorator: DecoratorOf<Port> | undefined): Port {
  return decorator === undefined ? adapter : decorator(provider)(adapter);
}

/** A model of the file, and how it was opened. */
interface FurtherOpened<Port> extends NamedModel<Port> {
  readonly opened: OpenedModel<Port>;
}

/** A model as its adapter opened it, with what it was opened by. */
interface OpenedModel<Port> {
  readonly provider: string;
  readonly values: AdapterValues;
  readonly adapter: Port;
}

/** The further models of one port, each opened and decorated as the chosen one is. */
async function openFurther<Port>(
  of: FurtherModelPort,
  { port }: Chosen<Port>,
  { further = [] }: AiModuleOptions,
  decorator: DecoratorOf<Port> | undefined,
): Promise<FurtherOpened<Port>[]> {
  const wanted = further.filter((one) => one.port === of);
  return Promise.all(
    wanted.map(async ({ id, provider, values }) => {
      const adapter = await openAdapter(port, provider, values, {});
      return { id, model: decorated(adapter, provider, decorator), opened: { provider, values, adapter } };
    }),
  );
}

/** What embedding models were in earlier versions, decorated as they are. */
async function openFormer(
  { port }: Chosen<Embedder>,
  models: readonly OpenedModel<Embedder>[],
  decorator: DecoratorOf<Embedder> | undefined,
): Promise<FormerEmbedder[]> {
  const former = models.map(async ({ provider, values, adapter }) => {
    const found = await openFormerOf(port, provider, values, adapter);
    const formerOf = adapter.descriptor.space;
    return found.map((model) => ({ model: decorated(model, provider, decorator), formerOf }));
  });
  return (await Promise.all(former)).flat();
}

/** The entailment model that the grounding needs; null where it needs none. */
async function openEntailment({
  grounding = GROUNDINGS.fallback,
  values = {},
  decorators,
}: AiModuleOptions): Promise<EntailmentModel | null> {
  const model = await openAdapter(GROUNDINGS, grounding, values, {});
  return model === null ? null : decorated(model, model.descriptor.provider, decorators?.entailmentModel);
}

/** Every model that the installation can use, its own first. */
async function openModels(
  options: AiModuleOptions,
  { embedder, reranker, chat }: ReturnType<typeof choose>,
  own: readonly [Embedder, Reranker, ChatModel],
  opened: Embedder,
): Promise<InstalledModels> {
  const { decorators = {}, values = {} } = options;
  const [embedders, rerankers, chatModels] = await Promise.all([
    openFurther('embedding', embedder, options, decorators.embedder),
    openFurther('rerank', reranker, options, decorators.reranker),
    openFurther('chat', chat, options, decorators.chatModel),
  ]);
  const all = [{ provider: embedder.kind, values, adapter: opened }, ...embedders.map((one) => one.opened)];
  const former = await openFormer(embedder, all, decorators.embedder);
  const lists = [
    new EmbedderList(own[0], addFormer(own[0], embedders, former)),
    new ModelList(own[1], rerankers),
    new ModelList(own[2], chatModels),
  ] as const;
  return requireSpacesOfTheirOwn(new InstalledModels(...lists));
}

/**
 * Provides `Embedder`, `Reranker` and `ChatModel`, those that the settings choose, `InstalledModels`, and `EntailmentModel`, which is null
 * where the grounding needs none, everywhere.
 */
@Global()
@Module({})
export class AiModule {
  /** @throws `ai.provider_not_available` at once, so that the start fails before anything else is opened. */
  static forRoot(options: AiModuleOptions): DynamicModule {
    const { embedder, reranker, chat } = choose(options);
    const { decorators = {} } = options;
    return {
      module: AiModule,
      providers: [
        { provide: OPENED_EMBEDDER, useFactory: () => open(embedder, options) },
        {
          provide: Embedder,
          inject: [OPENED_EMBEDDER],
          useFactory: (opened: Embedder) => decorated(opened, embedder.kind, decorators.embedder),
        },
        {
          provide: Reranker,
          useFactory: async () => decorated(await open(reranker, options), reranker.kind, decorators.reranker),
        },
        {
          provide: ChatModel,
          useFactory: async () => decorated(await open(chat, options), chat.kind, decorators.chatModel),
        },
        { provide: EntailmentModel, useFactory: () => openEntailment(options) },
        {
          provide: InstalledModels,
          inject: [OPENED_EMBEDDER, Embedder, Reranker, ChatModel],
          useFactory: (opened: Embedder, ...own: [Embedder, Reranker, ChatModel]) =>
            openModels(options, { embedder, reranker, chat }, own, opened),
        },
      ],
      exports: [Embedder, Reranker, ChatModel, InstalledModels, EntailmentModel],
    };
  }
}
