import { Module } from '@nestjs/common';
import { ShownContentModule } from '../content/index.js';
import { DatasetsModule } from '../datasets/index.js';
import { ModelCosts } from '../usage/index.js';
import { DocumentExtractors } from './extraction/document-extractors.service.js';
import { KgDocumentsRepository } from './graphs/kg-documents.repository.js';
import { KgExtractionRun } from './extraction/kg-extraction-run.task.js';
import { KgRenames } from './extraction/kg-renames.service.js';
import { KgRunEnds } from './extraction/kg-run-ends.service.js';
import { KgStep } from './extraction/kg.step.js';
import { KgEstimates } from './building/kg-estimates.service.js';
import { KgController } from './building/kg.controller.js';
import { KgGraphsRepository } from './graphs/kg-graphs.repository.js';
import { KgReadingController } from './reading/kg-reading.controller.js';
import { KgViewController } from './view/kg-view.controller.js';
import { KgService } from './building/kg.service.js';
import { ChunkAnswersRepository } from './model/chunk-answers.repository.js';
import { GraphModel } from './model/graph-model.service.js';
import { ModelEstimates } from './model/model-estimate.service.js';
import { ModelExtraction } from './model/model-extraction.service.js';
import { PassageReading } from './model/passage-reading.service.js';
import { KgNeighbourhoodModule } from './neighbourhood/kg-neighbourhood.service.js';
import { KgEvidenceRepository } from './reading/kg-evidence.repository.js';
import { BuiltGraphs } from './reading/built-graphs.service.js';
import { KgReadingService } from './reading/kg-reading.service.js';
import { KgPassagesRepository } from './view/kg-passages.repository.js';
import { KgViewService } from './view/kg-view.service.js';

/** Knowledge graphs of datasets: requested and read. A graph holds what the documents say that searches show. */
@Module({
  imports: [DatasetsModule, KgNeighbourhoodModule, ShownContentModule],
  controllers: [KgController, KgReadingController, KgViewController],
  providers: [
    ChunkAnswersRepository,
    GraphModel,
    KgDocumentsRepository,
    KgEstimates,
    KgEvidenceRepository,
    KgGraphsRepository,
    KgPassagesRepository,
    BuiltGraphs,
    KgReadingService,
    KgService,
    KgViewService,
    ModelCosts,
    ModelEstimates,
  ],
  exports: [ChunkAnswersRepository, GraphModel, KgDocumentsRepository, KgGraphsRepository],
})
export class KgModule {}

/** The part that extracts, for worker processes. */
@Module({
  imports: [DatasetsModule, KgModule],
  providers: [DocumentExtractors, KgExtractionRun, KgRenames, KgRunEnds, KgStep, ModelExtraction, PassageReading],
})
export class KgWorkModule {}
