import { Global, Module } from '@nestjs/common';
import { DatasetCreationStep, DatasetsModule, WantedEmbeddings } from '../datasets/index.js';
import { DatasetConfigController } from './dataset-config/dataset-config.controller.js';
import { DatasetConfigExport } from './dataset-config/dataset-config-export.service.js';
import { DatasetConfigImport } from './dataset-config/dataset-config-import.service.js';
import { IngestionPolicies } from './policy/ingestion-policies.service.js';
import { IngestionPolicyController } from './policy/ingestion-policy.controller.js';
import { PolicyChanges } from './policy/policy-changes.service.js';
import { PolicyEmbeddings } from './policy/policy-embeddings.service.js';
import { PolicyHistory } from './policy/policy-history.service.js';
import { PolicyInstallation } from './policy/policy-installation.service.js';
import { PolicyImport } from './transfer/policy-import.service.js';
import { PolicySchemaController } from './policy/policy-schema.controller.js';
import { PolicyTransferController } from './transfer/policy-transfer.controller.js';
import { PolicyVersionsRepository } from './versions/policy-versions.repository.js';
import { PresentPolicies } from './policy/present-policies.service.js';

/**
 * Policies, their versions, and the configuration of a dataset as a document. Global only because datasets let it write the first version
 * through `DatasetCreationStep`. It needs `PolicyUsage` from documents and `RetrievalDefaultsCheck` from retrieval.
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
