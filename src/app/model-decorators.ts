import {
  decorateChatModel,
  decorateEmbedder,
  decorateReranker,
  type AiModuleOptions,
  type ModelDecorators,
} from '#libs/ai';
import type { AdapterPort, SettingsValues } from '#libs/config';
import { UnitOfWork, type Database } from '#libs/database';
import { meterAdapter, type Metrics } from '#libs/metrics';
import { ADAPTERS } from './adapters.js';
import { KeptEmbeddings } from '../modules/content/index.js';
import { installedPrices, SharedModelTurns, TenantModelLedger } from '../modules/usage/index.js';

/** The decorators of the models of this process. */
export function modelDecorators(settings: SettingsValues, database: Database): ModelDecorators {
  const unitOfWork = new UnitOfWork(database);
  const { modelConcurrency, modelCallSeconds, embeddingCacheRows } = settings;
  return {
    limits: {
      callMs: modelCallSeconds * 1_000,
      pieceMs: settings.modelPieceSeconds * 1_000,
      retries: settings.modelRetries,
      longestPauseMs: settings.modelRetryPauseMs,
      failures: settings.modelCircuitFailures,
      openMs: settings.modelCircuitSeconds * 1_000,
    },
    turns: new SharedModelTurns(unitOfWork, modelConcurrency),
    ledger: new TenantModelLedger(unitOfWork, { prices: installedPrices(settings), callSeconds: modelCallSeconds }),
    cache: embeddingCacheRows === 0 ? null : new KeptEmbeddings(unitOfWork, embeddingCacheRows),
  };
}

/** The chosen models; each call is measured at the adapter, each try by itself. */
export function modelOptions(settings: SettingsValues, database: Database, metrics: Metrics): AiModuleOptions {
  const { embeddingProvider, rerankProvider, chatProvider, groundingMethod, adapterValues } = settings;
  const decorators = modelDecorators(settings, database);
  const meter = <Port extends object>(port: string, kind: string, model: Port): Port =>
    meterAdapter(model, { port, kind, unmetered: ['close'] }, metrics);
  return {
    embedding: embeddingProvider,
    rerank: rerankProvider,
    chat: chatProvider,
    embedders: ADAPTERS.embeddingProvider,
    rerankers: ADAPTERS.rerankProvider,
    chatModels: ADAPTERS.chatProvider,
    values: adapterValues,
    further: settings.furtherModels,
    grounding: groundingMethod,
    decorators: {
      embedder: (provider) => (model) =>
        decorateEmbedder(
          meter('embedder', provider, model),
          isRemote(ADAPTERS.embeddingProvider, provider),
          decorators,
        ),
      reranker: (provider) => (model) =>
        decorateReranker(meter('reranker', provider, model), isRemote(ADAPTERS.rerankProvider, provider), decorators),
      chatModel: (provider) => (model) =>
        decorateChatModel(meter('chat_model', provider, model), isRemote(ADAPTERS.chatProvider, provider), decorators),
      entailmentModel: (provider) => (model) => meter('entailment_model', provider, model),
    },
  };
}

function isRemote(port: AdapterPort<unknown, never>, kind: string): boolean {
  return port.adapters.find((adapter) => adapter.kind === kind)?.inProcess !== true;
}
