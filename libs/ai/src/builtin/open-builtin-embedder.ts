import { catalogueErrorOf } from '#libs/common';
import type { Embedder } from '../embedder.port.js';
import { HashingEmbedder } from './hashing-embedder.js';
import { MEANING_MODEL, MeaningEmbedder } from './meaning/meaning-embedder.js';

/**
 * The built-in embedding model of a name. Without one it knows meaning; where what that needs is missing or damaged, spelling alone, and its
 * description says so. `folder`: where the weights lie, if not in their package.
 * @throws `ai.builtin_meaning_unusable`, `ai.local_runtime_missing` where a model that knows meaning is asked for by its name
 */
export async function openBuiltinEmbedder(name: string | undefined, folder?: string): Promise<Embedder> {
  if (name === MEANING_MODEL) return MeaningEmbedder.load(folder);
  if (name !== undefined) return new HashingEmbedder();
  try {
    return await MeaningEmbedder.load(folder);
  } catch (error) {
    if (catalogueErrorOf(error) === undefined) throw error;
    return new HashingEmbedder((error as Error).message);
  }
}
