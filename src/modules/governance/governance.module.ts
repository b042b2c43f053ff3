import { Global, Module } from '@nestjs/common';
import { DatasetsModule } from '../datasets/index.js';
import { DocumentsModule, FactsQuarantine } from '../documents/index.js';
import { IngestionPolicyModule } from '../ingestion-policy/index.js';
import { AuditAnchoring } from './audit/audit-anchoring.service.js';
import { AuditAnchors } from './audit/audit-anchors.service.js';
import { AuditLogController } from './audit/audit-log.controller.js';
import { AuditLogRepository } from './audit/audit-log.repository.js';
import { AuditLogService } from './audit/audit-log.service.js';
import { FindingsController } from './findings/findings.controller.js';
import { FindingsRepository } from './findings/findings.repository.js';
import { FindingsService } from './findings/findings.service.js';
import { QuarantineOfFacts } from './quarantine/quarantine-of-facts.service.js';
import { QuarantineController } from './quarantine/quarantine.controller.js';
import { QuarantineService } from './quarantine/quarantine.service.js';
import { QuarantinesRepository } from './quarantine/quarantines.repository.js';
import { ReleaseRule } from './quarantine/release-rule.service.js';
import { RescanRun } from './rescans/rescan-run.task.js';
import { RescannedDocumentsRepository } from './rescans/rescanned-documents.repository.js';
import { RescansController } from './rescans/rescans.controller.js';
import { RescansRepository } from './rescans/rescans.repository.js';
import { RescansService } from './rescans/rescans.service.js';

/**
 * Findings, rescans and quarantine of documents, and reading and verification of audit logs. The status of documents is changed only by the
 * documents module.
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
    RescanRun,
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

/** Implementations of ports of documents, which must not depend on governance. */
@Global()
@Module({
  imports: [GovernanceModule],
  providers: [{ provide: FactsQuarantine, useClass: QuarantineOfFacts }],
  exports: [FactsQuarantine],
})
export class FactsQuarantineModule {}
