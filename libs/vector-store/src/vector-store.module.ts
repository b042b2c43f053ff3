import { Global, Module, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';
import type { EngineSettings } from './adapter/search-engine/engine-settings.js';
import { vectorStoreErrors } from './vector-store.errors.js';
import { SwitchingVectorStore, type PlacementReader } from './switching/switching-vector-store.js';
import { VectorStores, type VectorStoreKind } from './switching/vector-stores.js';
import { VectorStore } from './vector-store.port.js';

export interface VectorStoreSettings {
  /** The store that answers, unless the installation has moved to another one. */
  readonly kind: VectorStoreKind;
  /** Where the installation has moved to; it never moves without. */
  readonly placement?: PlacementReader;
  /** Folder of the embedded store; made when absent. One process owns it at a time. */
  readonly directory: string;
  /** How the servers are reached; required for the kinds that are used. */
  readonly elasticsearch?: EngineSettings;
  readonly opensearch?: EngineSettings;
  /** Wraps the opened store, to measure its calls for instance. */
  readonly decorate?: (store: VectorStore) => VectorStore;
}

/** One opener per setting value; an adapter and its SDK are loaded only when they are chosen. */
const OPENERS: Readonly<Record<VectorStoreKind, (settings: VectorStoreSettings) => Promise<VectorStore>>> = {
  embedded: async (settings) => {
    const { openLanceDbStore } = await import('./adapter/lancedb/open-lancedb-store.js');
    return openLanceDbStore({ directory: settings.directory });
  },
  elasticsearch: async ({ elasticsearch }) => {
    if (elasticsearch === undefined || elasticsearch.urls.length === 0)
      throw vectorStoreErrors.not_configured({ kind: 'elasticsearch' });
    const { openElasticsearchStore } = await import('./adapter/elasticsearch/open-elasticsearch-store.js');
    return openElasticsearchStore(elasticsearch);
  },
  opensearch: async ({ opensearch }) => {
    if (opensearch === undefined || opensearch.urls.length === 0)
      throw vectorStoreErrors.not_configured({ kind: 'opensearch' });
    const { openOpenSearchStore } = await import('./adapter/opensearch/open-opensearch-store.js');
    return openOpenSearchStore(opensearch);
  },
};

/** Provides `VectorStore` to the whole application, and `VectorStores` to whoever moves it; closes them at shutdown. */
@Global()
@Module({})
export class VectorStoreModule implements OnApplicationShutdown {
  constructor(private readonly store: VectorStore) {}

  /** Opens the store while the application starts; fails the start with `vector_store.locked` or `vector_store.not_configured`. */
  static forRoot(settings: VectorStoreSettings): DynamicModule {
    const read: PlacementReader = settings.placement ?? (() => Promise.resolve(undefined));
    const start = (): Promise<SwitchingVectorStore> =>
      SwitchingVectorStore.start(settings.kind, (kind) => OPENERS[kind](settings), read);
    return {
      module: VectorStoreModule,
      providers: [
        { provide: VectorStores, useFactory: start },
        {
          provide: VectorStore,
          useFactory: (store: SwitchingVectorStore) => settings.decorate?.(store) ?? store,
          inject: [VectorStores],
        },
      ],
      exports: [VectorStore, VectorStores],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.store.close();
  }
}
