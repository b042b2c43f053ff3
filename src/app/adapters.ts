import { CHAT_MODELS, EMBEDDERS, GROUNDINGS, RERANKERS } from '#libs/ai';
import { loadSettings, type SettingsValues } from '#libs/config';
import { OBJECT_STORAGES } from '#libs/object-storage';
import { VECTOR_STORES } from '#libs/vector-store';

/** Every adapter that this installation can be set to use. Settings, their checks and `.env.example` follow from it. */
export const ADAPTERS = {
  vectorStore: VECTOR_STORES,
  objectStorage: OBJECT_STORAGES,
  embeddingProvider: EMBEDDERS,
  rerankProvider: RERANKERS,
  chatProvider: CHAT_MODELS,
  groundingMethod: GROUNDINGS,
};

/** The settings of the service, of the environment when none is given. @throws SettingsError with all problems */
export function loadServiceSettings(environment?: Readonly<Record<string, string | undefined>>): SettingsValues {
  return loadSettings(ADAPTERS, environment);
}
