import { Module } from '@nestjs/common';
import { DatasetsModule } from '../datasets/index.js';
import { KgDocumentsRepository } from './extraction/kg-documents.repository.js';
import { KgExtraction } from './extraction/kg-extraction.js';
import { KgStep } from './extraction/kg.step.js';
import { KgController } from './kg.controller.js';
import { KgGraphsRepository } from './kg-graphs.repository.js';
import { KgReadingController } from './kg-reading.controller.js';
import { KgViewController } from './kg-view.controller.js';
import { KgService } from './kg.service.js';
import { KgEvidenceRepository } from './reading/kg-evidence.repository.js';
import { KgReadingService } from './reading/kg-reading.service.js';
import { KgPassagesRepository } from './view/kg-passages.repository.js';
import { KgViewService } from './view/kg-view.service.js';

/** Knowledge graphs of datasets: asked for and read. What a graph holds is what documents say that search shows. */
@Module({
  imports: [DatasetsModule],
  controllers: [KgController, KgReadingController, KgViewController],
  providers: [
    KgDocumentsRepository,
    KgEvidenceRepository,
    KgGraphsRepository,
    KgPassagesRepository,
    KgReadingService,
    KgService,
    KgViewService,
  ],
  exports: [KgDocumentsRepository, KgGraphsRepository],
})
export class KgModule {}

/** The part that extracts: for processes that work. */
@Module({
  imports: [DatasetsModule, KgModule],
  providers: [KgExtraction, KgStep],
})
export class KgWorkModule {}
