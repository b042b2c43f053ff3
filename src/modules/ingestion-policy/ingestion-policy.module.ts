import { Global, Module } from '@nestjs/common';
import { DatasetCreationStep, DatasetsModule } from '../datasets/index.js';
import { IngestionPolicies } from './ingestion-policies.service.js';
import { IngestionPolicyController } from './ingestion-policy.controller.js';
import { PolicyVersionsRepository } from './policy-versions.repository.js';

/** Global only because datasets ask it, through `DatasetCreationStep`, to write the first version. */
@Global()
@Module({
  imports: [DatasetsModule],
  controllers: [IngestionPolicyController],
  providers: [
    PolicyVersionsRepository,
    IngestionPolicies,
    { provide: DatasetCreationStep, useExisting: IngestionPolicies },
  ],
  exports: [IngestionPolicies, DatasetCreationStep],
})
export class IngestionPolicyModule {}
