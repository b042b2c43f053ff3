import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { DatasetsModule } from '../datasets/index.js';
import { DocumentsModule } from '../documents/index.js';
import { IngestionPolicyModule } from '../ingestion-policy/index.js';
import { FileExamination } from './precheck/file-examination.service.js';
import { PrecheckFilesRepository } from './precheck/precheck-files.repository.js';
import { PrecheckFolders } from './precheck/precheck-folders.service.js';
import { PrecheckForm } from './precheck/precheck-form.service.js';
import { PrecheckSamples } from './precheck/precheck-samples.service.js';
import { PrecheckScan } from './precheck/precheck-scan-run.task.js';
import { PrecheckScansController } from './precheck/precheck-scans.controller.js';
import { PrecheckScansService } from './precheck/precheck-scans.service.js';
import { DocumentSurvey } from './profile/document-survey.service.js';
import { ProfileDocumentsRepository } from './profile/profile-documents.repository.js';
import { ProfileScan } from './profile/profile-scan-run.task.js';
import { ProfileScanStore } from './profile/profile-scan-store.service.js';
import { ProfileScansController } from './profile/profile-scans.controller.js';
import { ProfileScansService } from './profile/profile-scans.service.js';
import { ProfileSections } from './profile/profile-sections.service.js';
import { ScannedDocumentsRepository } from './profile/scanned-documents.repository.js';
import { ScanLedger } from './runs/scan-ledger.service.js';
import { ScanRunsRepository } from './runs/scan-runs.repository.js';

/** Scans of datasets: requests and reads, and in workers also their execution. */
@Module({
  imports: [DatasetsModule, DiscoveryModule, DocumentsModule, IngestionPolicyModule],
  controllers: [ProfileScansController, PrecheckScansController],
  providers: [
    DocumentSurvey,
    PrecheckFilesRepository,
    PrecheckForm,
    PrecheckSamples,
    PrecheckScansService,
    ProfileDocumentsRepository,
    ProfileScan,
    ProfileScanStore,
    ProfileScansService,
    ProfileSections,
    ScanLedger,
    ScannedDocumentsRepository,
    ScanRunsRepository,
  ],
  exports: [PrecheckFilesRepository, PrecheckSamples, ScanRunsRepository],
})
export class ScansModule {}

/** The part of scans that parses files; only for workers, which have parsers. */
@Module({
  imports: [DatasetsModule, DocumentsModule, IngestionPolicyModule, ScansModule],
  providers: [FileExamination, PrecheckFolders, PrecheckScan],
})
export class ScansWorkModule {}
