import { Global, Module } from '@nestjs/common';
import { DatasetCreationStep, DatasetsModule, WantedEmbeddings } from '../datasets/index.js';
import { DatasetConfigController } from './dataset-config.controller.js';
import { DatasetConfigExport } from './dataset-config-export.service.js';
import { DatasetConfigImport } from './dataset-config-import.service.js';
import { IngestionPolicies } from './ingestion-policies.service.js';
import { IngestionPolicyController } from './ingestion-policy.controller.js';
import { PolicyChanges } from './policy-changes.service.js';
import { PolicyEmbeddings } from './policy-embeddings.js';
import { PolicyHistory } from './policy-history.service.js';
import { PolicyInstallation } from './policy-installation.js';
import { PolicyImport } from './policy-import.service.js';
import { PolicySchemaController } from './policy-schema.controller.js';
import { PolicyTransferController } from './policy-transfer.controller.js';
import { PolicyVersionsRepository } from './policy-versions.repository.js';
import { PresentPolicies } from './present-policies.js';

/**
 * Policies, their versions, and the configuration of a dataset as a document. Global only because datasets ask it, through
 * `DatasetCreationStep`, to write the first version. It needs `PolicyUsage` from the module that owns documents and
 * `RetrievalDefaultsCheck` from the one that owns searches.
 */
@Global()
@Module({
  imports: [DatasetsModule],
  controllers: [DatasetConfigController, IngestionPolicyController, PolicySchemaController, PolicyTransferController],
  providers: [
    DatasetConfigExport,
    DatasetConfigImport,
    IngestionPolicies,
    PolicyChanges,
    PolicyHistory,
    PolicyImport,
    PolicyInstallation,
    PolicyVersionsRepository,
    PresentPolicies,
    { provide: DatasetCreationStep, useExisting: IngestionPolicies },
    { provide: WantedEmbeddings, useClass: PolicyEmbeddings },
  ],
  exports: [IngestionPolicies, PresentPolicies, DatasetCreationStep, WantedEmbeddings],
})
export class IngestionPolicyModule {}
