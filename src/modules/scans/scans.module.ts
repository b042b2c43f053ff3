import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { DatasetsModule } from '../datasets/index.js';
import { IngestionPolicyModule } from '../ingestion-policy/index.js';
import { DocumentSurvey } from './profile/document-survey.js';
import { ProfileDocumentsRepository } from './profile/profile-documents.repository.js';
import { ProfileScan } from './profile/profile-scan.js';
import { ProfileScanStore } from './profile/profile-scan.store.js';
import { ProfileScansController } from './profile/profile-scans.controller.js';
import { ProfileScansService } from './profile/profile-scans.service.js';
import { ProfileSections } from './profile/profile-sections.js';
import { ScannedDocumentsRepository } from './profile/scanned-documents.repository.js';
import { ScanLedger } from './scan-ledger.js';
import { ScanRunsRepository } from './scan-runs.repository.js';

/** Scans: what is in a dataset. The same module asks for them and, in a process that works, carries them out. */
@Module({
  imports: [DatasetsModule, DiscoveryModule, IngestionPolicyModule],
  controllers: [ProfileScansController],
  providers: [
    DocumentSurvey,
    ProfileDocumentsRepository,
    ProfileScan,
    ProfileScanStore,
    ProfileScansService,
    ProfileSections,
    ScanLedger,
    ScannedDocumentsRepository,
    ScanRunsRepository,
  ],
})
export class ScansModule {}
