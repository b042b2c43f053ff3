import type { DatasetId, JsonObject } from '#libs/common';
import { defineTask, readId } from '#libs/tasks';

/** Payload of the task of an extraction. */
export interface KgExtractionPayload {
  readonly datasetId: DatasetId;
  readonly graphId: string;
}

/** Extracts the entities and relations of documents of a dataset, for anyone who asked for it. */
export const KG_EXTRACTION = defineTask<KgExtractionPayload>({
  kind: 'kg_extraction',
  longestUnit: 'four documents by rules, or 32 passages of each of four by a model',
  isSliced: true,
  needsSpace: true,
  permission: 'kg:run',
  parse: (payload: JsonObject) => ({
    datasetId: readId(payload, 'datasetId') as DatasetId,
    graphId: readId(payload, 'graphId'),
  }),
});
