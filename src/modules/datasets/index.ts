export {
  DATASET_ACLS,
  DatasetEntity,
  ON_SAME_NAME,
  recordedEmbedding,
  shownEmbedding,
  type DatasetAcl,
  type DatasetEmbedding,
  type OnSameName,
} from './record/dataset.entity.js';
export {
  DatasetAccess,
  type DatasetInstructions,
  type DatasetSummary,
  type VisibleDataset,
} from './access/dataset-access.repository.js';
export { bumpContent, showEmbedding } from './catalogue/dataset-content.repository.js';
export {
  DatasetContents,
  type ContentCount,
  type ContentSummary,
  type DocumentCounts,
} from './record/dataset-contents.port.js';
export { CategoriesService } from './categories/categories.service.js';
export { DatasetCreationStep, type CreatedDataset } from './catalogue/dataset-creation-step.port.js';
export { DATASET_DELETION, type DatasetDeletionPayload } from './deletion/dataset-deletion.task.js';
export { DatasetDeletionsRepository, type DeletionRow } from './deletion/dataset-deletions.repository.js';
export { DatasetUpdateService } from './catalogue/dataset-update.service.js';
export {
  isAdministrator,
  isOwner,
  sightVariantsOf,
  visibilityVariantsOf,
  type SqlCondition,
} from './access/dataset-visibility.js';
export { DatasetsModule } from './datasets.module.js';
export { datasetErrors } from './datasets.errors.js';
export { DatasetsService, type VersionedDataset } from './catalogue/datasets.service.js';
export { isDisplayName, nameKeyOf } from './record/display-name.js';
export type { CategoryNode } from './categories/category.dto.js';
export { Dataset, DatasetEmbeddingDto, DocumentCountsDto } from './record/dataset.dto.js';
export { ListDatasetsQuery } from './catalogue/list-datasets.dto.js';
export { MAX_CATEGORIES_OF_DATASET, UpdateDatasetRequest } from './record/write-dataset.dto.js';
export { WantedEmbeddings, type EmbeddedDataset } from './catalogue/wanted-embeddings.port.js';
export { mergePatch } from './record/merge-patch.js';
export {
  CONTRIBUTED_PROFILE_SECTION,
  DatasetProfileSection,
  type DatasetProfileSectionOptions,
} from './access/dataset-profile-section.port.js';
export { DATASET_DELETED, type DatasetDeleted } from './datasets.events.js';
export { TRANSFERRED_SETTINGS, transferredSettings } from './record/dataset-settings.js';
