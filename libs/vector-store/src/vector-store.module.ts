import { Global, Module, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';
import { missingSettings, openAdapter, type AdapterPort, type AdapterValues } from '#libs/config';
import type { VectorStoreContext } from './define-vector-store.js';
import { SwitchingVectorStore, type PlacementReader } from './switching/switching-vector-store.js';
import { VectorStores, type VectorStoreKind } from './switching/vector-stores.js';
import { VECTOR_STORES } from './vector-store-adapters.js';
import { vectorStoreErrors } from './vector-store.errors.js';
import { VectorStore } from './vector-store.port.js';

export interface VectorStoreSettings extends VectorStoreContext {
  /** The store that answers, unless the installation has moved to another one. */
  readonly kind: VectorStoreKind;
  /** The stores that there are; those of this product when left out. */
  readonly port?: AdapterPort<VectorStore, VectorStoreContext>;
  /** Their settings by name. */
  readonly values?: AdapterValues;
  /** Where the installation has moved to; it never moves without. */
  readonly placement?: PlacementReader;
  /** Wraps each store that is opened, to measure its calls for instance. */
  readonly decorate?: (store: VectorStore, kind: VectorStoreKind) => VectorStore;
}

async function openStore(kind: VectorStoreKind, settings: VectorStoreSettings): Promise<VectorStore> {
  const { port = VECTOR_STORES, values = {}, decorate } = settings;
  const definition = port.adapters.find((adapter) => adapter.kind === kind);
  const missing = definition === undefined ? [] : missingSettings(definition, values);
  if (definition === undefined || missing.length > 0) throw vectorStoreErrors.not_configured({ kind, missing });
  const store = await openAdapter(port, kind, values, { directory: settings.directory });
  return decorate?.(store, kind) ?? store;
}

/** Provides `VectorStore` to the whole application, and `VectorStores` to anyone who moves it; closes them at shutdown. */
@Global()
@Module({})
export class VectorStoreModule implements OnApplicationShutdown {
  constructor(private readonly store: VectorStore) {}

  /** Opens the store while the application starts; fails the start with `vector_store.locked` or `vector_store.not_configured`. */
  static forRoot(settings: VectorStoreSettings): DynamicModule {
    const read: PlacementReader = settings.placement ?? (() => Promise.resolve(undefined));
    const kinds = (settings.port ?? VECTOR_STORES).adapters.map((adapter) => adapter.kind);
    return {
      module: VectorStoreModule,
      providers: [
        {
          provide: VectorStores,
          useFactory: () => SwitchingVectorStore.start(kinds, settings.kind, (kind) => openStore(kind, settings), read),
        },
        { provide: VectorStore, useExisting: VectorStores },
      ],
      exports: [VectorStore, VectorStores],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.store.close();
  }
}
