export { DATASET_ACLS, type DatasetAcl, type DatasetEmbedding } from './dataset.entity.js';
export { DatasetAccess, type VisibleDataset } from './dataset-access.js';
export {
  DatasetContents,
  type ContentCount,
  type ContentSummary,
  type DocumentCounts,
} from './dataset-contents.port.js';
export { DatasetCreationStep } from './dataset-creation-step.port.js';
export { isAdministrator, isOwner, type SqlCondition } from './dataset-visibility.js';
export { DatasetsModule } from './datasets.module.js';
export { datasetErrors } from './datasets.errors.js';
