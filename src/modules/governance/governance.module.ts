import { Global, Module } from '@nestjs/common';
import { DatasetsModule } from '../datasets/index.js';
import { DocumentsModule, FactsQuarantine } from '../documents/index.js';
import { IngestionPolicyModule } from '../ingestion-policy/index.js';
import { AuditAnchoring } from './audit-anchoring.js';
import { AuditAnchors } from './audit-anchors.js';
import { AuditLogController } from './audit-log.controller.js';
import { AuditLogRepository } from './audit-log.repository.js';
import { AuditLogService } from './audit-log.service.js';
import { FindingsController } from './findings.controller.js';
import { FindingsRepository } from './findings.repository.js';
import { FindingsService } from './findings.service.js';
import { QuarantineOfFacts } from './quarantine-of-facts.js';
import { QuarantineController } from './quarantine.controller.js';
import { QuarantineService } from './quarantine.service.js';
import { QuarantinesRepository } from './quarantines.repository.js';
import { ReleaseRule } from './release-rule.js';
import { Rescan } from './rescan.js';
import { RescannedDocumentsRepository } from './rescanned-documents.repository.js';
import { RescansController } from './rescans.controller.js';
import { RescansRepository } from './rescans.repository.js';
import { RescansService } from './rescans.service.js';

/**
 * Who keeps documents away from readers, and why; what was done in a tenant, and whether the record of it is whole. The states of documents
 * stay the business of the documents module.
 */
@Module({
  imports: [DatasetsModule, DocumentsModule, IngestionPolicyModule],
  controllers: [FindingsController, QuarantineController, RescansController, AuditLogController],
  providers: [
    FindingsRepository,
    FindingsService,
    QuarantineService,
    QuarantinesRepository,
    ReleaseRule,
    Rescan,
    RescannedDocumentsRepository,
    RescansRepository,
    RescansService,
    AuditLogService,
    AuditLogRepository,
    AuditAnchors,
    AuditAnchoring,
  ],
  exports: [FindingsRepository, QuarantineService],
})
export class GovernanceModule {}

/** What governance contributes to documents, which must not know it. */
@Global()
@Module({
  imports: [GovernanceModule],
  providers: [{ provide: FactsQuarantine, useClass: QuarantineOfFacts }],
  exports: [FactsQuarantine],
})
export class FactsQuarantineModule {}
