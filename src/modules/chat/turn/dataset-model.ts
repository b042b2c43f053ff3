const PREFIX = 'dataset:';

/** The name under which a dataset is a model: a chat over that dataset alone, for clients that cannot send `dataset_ids`. */
export function datasetModelOf(datasetId: string): string {
  return `${PREFIX}${datasetId}`;
}

/** What is behind `dataset:` in the name of a model, in lower case; undefined when it names no dataset. */
export function datasetIdOf(model: unknown): string | undefined {
  return typeof model === 'string' && model.startsWith(PREFIX) ? model.slice(PREFIX.length).toLowerCase() : undefined;
}
