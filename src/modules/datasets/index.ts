export {
  DATASET_ACLS,
  DatasetEntity,
  ON_SAME_NAME,
  recordedEmbedding,
  shownEmbedding,
  type DatasetAcl,
  type DatasetEmbedding,
  type OnSameName,
} from './dataset.entity.js';
export { DatasetAccess, type DatasetInstructions, type DatasetSummary, type VisibleDataset } from './dataset-access.js';
export { bumpContent, showEmbedding } from './dataset-content.js';
export {
  DatasetContents,
  type ContentCount,
  type ContentSummary,
  type DocumentCounts,
} from './dataset-contents.port.js';
export { CategoriesService } from './categories.service.js';
export { DatasetCreationStep, type CreatedDataset } from './dataset-creation-step.port.js';
export { DATASET_DELETION, type DatasetDeletionPayload } from './dataset-deletion.task.js';
export { DatasetDeletionsRepository, type DeletionRow } from './dataset-deletions.repository.js';
export { DatasetUpdateService } from './dataset-update.service.js';
export {
  isAdministrator,
  isOwner,
  sightVariantsOf,
  visibilityVariantsOf,
  type SqlCondition,
} from './dataset-visibility.js';
export { DatasetsModule } from './datasets.module.js';
export { datasetErrors } from './datasets.errors.js';
export { DatasetsService, type VersionedDataset } from './datasets.service.js';
export { isDisplayName, nameKeyOf } from './display-name.js';
export type { CategoryNode } from './dto/category.dto.js';
export { Dataset, DatasetEmbeddingDto, DocumentCountsDto } from './dto/dataset.dto.js';
export { ListDatasetsQuery } from './dto/list-datasets.dto.js';
export { MAX_CATEGORIES_OF_DATASET, UpdateDatasetRequest } from './dto/write-dataset.dto.js';
export { WantedEmbeddings, type EmbeddedDataset } from './wanted-embeddings.port.js';
export { mergePatch } from './merge-patch.js';
export {
  CONTRIBUTED_PROFILE_SECTION,
  DatasetProfileSection,
  type DatasetProfileSectionOptions,
} from './dataset-profile-section.js';
