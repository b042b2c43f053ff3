import { Module } from '@nestjs/common';
import { DatasetsModule } from '../datasets/index.js';
import { DocumentsModule } from '../documents/index.js';
import { QuarantineController } from './quarantine.controller.js';
import { QuarantineService } from './quarantine.service.js';
import { QuarantinesRepository } from './quarantines.repository.js';

/** Who keeps documents away from readers, and why. The states of documents stay the business of the documents module. */
@Module({
  imports: [DatasetsModule, DocumentsModule],
  controllers: [QuarantineController],
  providers: [QuarantineService, QuarantinesRepository],
  exports: [QuarantineService],
})
export class GovernanceModule {}
