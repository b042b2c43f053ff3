import { join } from 'node:path';
import type { SettingsValues } from '#libs/config';
import { StorePlacements, UnitOfWork, type Database } from '#libs/database';
import { meterCalls, type Metrics } from '#libs/metrics';
import {
  VECTOR_STORE_KINDS,
  type StorePlacement,
  type VectorStore,
  type VectorStoreKind,
  type VectorStoreSettings,
} from '#libs/vector-store';

/** How the vector stores of the installation are opened, and where the database says that it has moved to. */
export function vectorStoreSettings(
  settings: SettingsValues,
  database: Database,
  metrics: Metrics,
): VectorStoreSettings {
  return {
    kind: settings.vectorStore,
    directory: join(settings.dataDir, 'vectors'),
    ...engineSettings(settings),
    placement: placementReader(database),
    decorate: (store) => meterStore(store, metrics),
  };
}

function placementReader(database: Database): () => Promise<StorePlacement | undefined> {
  const placements = new StorePlacements(new UnitOfWork(database));
  const isKind = (name: string): name is VectorStoreKind => VECTOR_STORE_KINDS.some((kind) => kind === name);
  return async () => {
    const row = await placements.read();
    if (row === undefined) return undefined;
    const { active, shadow } = row;
    if (!isKind(active) || (shadow !== null && !isKind(shadow))) {
      throw new Error(`This version knows no vector store ${active} or ${shadow}`);
    }
    return { active, shadow };
  };
}

function engineSettings(settings: SettingsValues): Pick<VectorStoreSettings, 'elasticsearch' | 'opensearch'> {
  const indexPrefix = settings.vectorStoreIndexPrefix;
  return {
    elasticsearch: {
      indexPrefix,
      urls: settings.elasticsearchUrls,
      username: settings.elasticsearchUsername,
      password: settings.elasticsearchPassword,
      apiKey: settings.elasticsearchApiKey,
      caFile: settings.elasticsearchCaFile,
    },
    opensearch: {
      indexPrefix,
      urls: settings.opensearchUrls,
      username: settings.opensearchUsername,
      password: settings.opensearchPassword,
      apiKey: settings.opensearchApiKey,
      caFile: settings.opensearchCaFile,
    },
  };
}

function meterStore(store: VectorStore, metrics: Metrics): VectorStore {
  const methods = ['write', 'remove', 'updateMetadata', 'searchKeyword', 'searchVector', 'count', 'ping'] as const;
  return meterCalls(store, 'vector_store', methods, metrics);
}
