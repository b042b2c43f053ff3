import { Global, Module } from '@nestjs/common';
import { DatasetSight } from '#libs/http';
import { DatasetOwnershipPort, DatasetVisibilityPort } from '../accounts/index.js';
import { CategoriesController } from './categories/categories.controller.js';
import { CategoriesRepository } from './categories/categories.repository.js';
import { CategoriesService } from './categories/categories.service.js';
import { DatasetAccess } from './access/dataset-access.repository.js';
import { DatasetCloneController } from './catalogue/dataset-clone.controller.js';
import { DatasetCloneService } from './catalogue/dataset-clone.service.js';
import { DatasetCreationService } from './catalogue/dataset-creation.service.js';
import { DatasetDeletionService } from './deletion/dataset-deletion.service.js';
import { DatasetDeletionsRepository } from './deletion/dataset-deletions.repository.js';
import { DatasetOwnershipRepository } from './access/dataset-ownership.repository.js';
import { DatasetUpdateService } from './catalogue/dataset-update.service.js';
import { DatasetNames } from '../usage/index.js';
import { DatasetNamesAdapter } from './catalogue/dataset-names.adapter.js';
import { DatasetVisibilityAdapter } from './access/dataset-visibility.adapter.js';
import { DatasetsController } from './catalogue/datasets.controller.js';
import { DatasetsRepository } from './catalogue/datasets.repository.js';
import { DatasetsService } from './catalogue/datasets.service.js';
import { PartialMembers } from './access/partial-members.service.js';
import { TenantDatasetsController } from './catalogue/tenant-datasets.controller.js';
import { TenantDatasetsRepository } from './catalogue/tenant-datasets.repository.js';
import { TenantDatasetsService } from './catalogue/tenant-datasets.service.js';

/**
 * Datasets, their categories and their visibility. Global only because accounts use it through their ports. It needs `MemberDirectory` from
 * accounts, and `DatasetContents`, `DatasetCreationStep` and `WantedEmbeddings` from modules that depend on datasets.
 */
@Global()
@Module({
  // The description and Swagger UI list routes in this order: what a newcomer needs comes first.
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
    { provide: DatasetSight, useExisting: DatasetVisibilityPort },
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
    DatasetSight,
    DatasetVisibilityPort,
    DatasetsService,
  ],
})
export class DatasetsModule {}
