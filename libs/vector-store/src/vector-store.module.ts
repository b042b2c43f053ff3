import { Global, Module, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';
import { vectorStoreErrors } from './vector-store.errors.js';
import { VectorStore } from './vector-store.port.js';

export type VectorStoreKind = 'embedded' | 'elasticsearch' | 'opensearch';

export interface VectorStoreSettings {
  readonly kind: VectorStoreKind;
  /** Folder of the embedded store; made when absent. One process owns it at a time. */
  readonly directory: string;
  /** Wraps the opened store, to measure its calls for instance. */
  readonly decorate?: (store: VectorStore) => VectorStore;
}

/** One opener per setting value; an adapter and its SDK are loaded only when they are chosen. */
const OPENERS: Readonly<Record<VectorStoreKind, (settings: VectorStoreSettings) => Promise<VectorStore>>> = {
  embedded: async (settings) => {
    const { openLanceDbStore } = await import('./adapter/lancedb/open-lancedb-store.js');
    return openLanceDbStore({ directory: settings.directory });
  },
  elasticsearch: () => Promise.reject(vectorStoreErrors.not_available({ kind: 'elasticsearch' })),
  opensearch: () => Promise.reject(vectorStoreErrors.not_available({ kind: 'opensearch' })),
};

async function open(settings: VectorStoreSettings): Promise<VectorStore> {
  const store = await OPENERS[settings.kind](settings);
  return settings.decorate?.(store) ?? store;
}

/** Provides `VectorStore` to the whole application and closes it at shutdown. */
@Global()
@Module({})
export class VectorStoreModule implements OnApplicationShutdown {
  constructor(private readonly store: VectorStore) {}

  /** Opens the store while the application starts; fails the start with `vector_store.locked` or `vector_store.not_available`. */
  static forRoot(settings: VectorStoreSettings): DynamicModule {
    return {
      module: VectorStoreModule,
      providers: [{ provide: VectorStore, useFactory: () => open(settings) }],
      exports: [VectorStore],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.store.close();
  }
}
