import { join } from 'node:path';
import type { SettingsValues } from '#libs/config';
import { StorePlacements, UnitOfWork, type Database } from '#libs/database';
import { meterAdapter, type Metrics } from '#libs/metrics';
import type { StorePlacement, VectorStoreSettings } from '#libs/vector-store';
import { ADAPTERS } from './adapters.js';

/** How the vector stores of the installation are opened, and where the database says that it has moved to. */
export function vectorStoreSettings(
  settings: SettingsValues,
  database: Database,
  metrics: Metrics,
): VectorStoreSettings {
  return {
    kind: settings.vectorStore,
    port: ADAPTERS.vectorStore,
    values: settings.adapterValues,
    directory: join(settings.dataDir, 'vectors'),
    placement: placementReader(database),
    decorate: (store, kind) => meterAdapter(store, { port: 'vector_store', kind, unmetered: ['close'] }, metrics),
  };
}

function placementReader(database: Database): () => Promise<StorePlacement | undefined> {
  const placements = new StorePlacements(new UnitOfWork(database));
  const kinds = ADAPTERS.vectorStore.adapters.map(({ kind }) => kind);
  return async () => {
    const row = await placements.read();
    if (row === undefined) return undefined;
    const { active, shadow } = row;
    if (!kinds.includes(active) || (shadow !== null && !kinds.includes(shadow))) {
      throw new Error(`This version knows no vector store ${active} or ${shadow}`);
    }
    return { active, shadow };
  };
}
