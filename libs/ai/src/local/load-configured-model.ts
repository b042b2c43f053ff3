import { CatalogueError } from '#libs/common';
import { aiErrors } from '../ai.errors.js';

type Facts = Parameters<typeof aiErrors.local_model_unusable>[0];

const { code: UNUSABLE } = aiErrors.local_model_unusable({ path: '', problems: [] });

/** Loads a model; the error for one that cannot be used names the setting that has to be changed. */
export async function loadConfiguredModel<T>(setting: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if (!(error instanceof CatalogueError) || error.code !== UNUSABLE) throw error;
    throw aiErrors.local_model_unusable({ ...(error.facts as Facts), setting }, { cause: error.cause });
  }
}
