import { Global, Module } from '@nestjs/common';
import { DatasetOwnershipPort, DatasetVisibilityPort } from '../accounts/index.js';
import { CategoriesController } from './categories.controller.js';
import { CategoriesRepository } from './categories.repository.js';
import { CategoriesService } from './categories.service.js';
import { DatasetAccess } from './dataset-access.js';
import { DatasetCloneController } from './dataset-clone.controller.js';
import { DatasetCloneService } from './dataset-clone.service.js';
import { DatasetCreationService } from './dataset-creation.service.js';
import { DatasetDeletionService } from './dataset-deletion.service.js';
import { DatasetDeletionsRepository } from './dataset-deletions.repository.js';
import { DatasetOwnershipRepository } from './dataset-ownership.repository.js';
import { DatasetUpdateService } from './dataset-update.service.js';
import { DatasetNames } from '../usage/index.js';
import { DatasetNamesAdapter } from './dataset-names.adapter.js';
import { DatasetVisibilityAdapter } from './dataset-visibility.adapter.js';
import { DatasetsController } from './datasets.controller.js';
import { DatasetsRepository } from './datasets.repository.js';
import { DatasetsService } from './datasets.service.js';
import { PartialMembers } from './partial-members.js';
import { TenantDatasetsController } from './tenant-datasets.controller.js';
import { TenantDatasetsRepository } from './tenant-datasets.repository.js';
import { TenantDatasetsService } from './tenant-datasets.service.js';

/**
 * Datasets, their categories and who sees them. Global only because accounts ask it through their ports. It needs
 * `MemberDirectory` of accounts, and `DatasetContents`, `DatasetCreationStep` and `WantedEmbeddings` from the modules that stand on datasets.
 */
@Global()
@Module({
  // The description and Swagger UI list routes in this order: what a newcomer needs stands first.
  controllers: [DatasetsController, DatasetCloneController, CategoriesController, TenantDatasetsController],
  providers: [
    DatasetAccess,
    DatasetsRepository,
    DatasetsService,
    DatasetCloneService,
    DatasetCreationService,
    DatasetUpdateService,
    DatasetDeletionsRepository,
    DatasetDeletionService,
    PartialMembers,
    TenantDatasetsRepository,
    TenantDatasetsService,
    CategoriesRepository,
    CategoriesService,
    { provide: DatasetVisibilityPort, useClass: DatasetVisibilityAdapter },
    { provide: DatasetNames, useClass: DatasetNamesAdapter },
    { provide: DatasetOwnershipPort, useClass: DatasetOwnershipRepository },
  ],
  exports: [
    DatasetDeletionsRepository,
    CategoriesService,
    DatasetAccess,
    DatasetOwnershipPort,
    DatasetUpdateService,
    DatasetNames,
    DatasetVisibilityPort,
    DatasetsService,
  ],
})
export class DatasetsModule {}
