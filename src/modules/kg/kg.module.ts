import { Module } from '@nestjs/common';
import { DatasetsModule } from '../datasets/index.js';
import { ModelCosts } from '../usage/index.js';
import { DocumentExtractors } from './extraction/document-extractors.js';
import { KgDocumentsRepository } from './graphs/kg-documents.repository.js';
import { KgExtraction } from './extraction/kg-extraction.js';
import { KgRenames } from './extraction/kg-renames.js';
import { KgRunEnds } from './extraction/kg-run-ends.js';
import { KgStep } from './extraction/kg.step.js';
import { KgEstimates } from './building/kg-estimates.js';
import { KgController } from './building/kg.controller.js';
import { KgGraphsRepository } from './graphs/kg-graphs.repository.js';
import { KgReadingController } from './reading/kg-reading.controller.js';
import { KgViewController } from './view/kg-view.controller.js';
import { KgService } from './building/kg.service.js';
import { ChunkAnswersRepository } from './model/chunk-answers.repository.js';
import { GraphModel } from './model/graph-model.js';
import { ModelEstimates } from './model/model-estimate.js';
import { ModelExtraction } from './model/model-extraction.js';
import { PassageReading } from './model/passage-reading.js';
import { KgNeighbourhoodModule } from './neighbourhood/kg-neighbourhood.js';
import { KgEvidenceRepository } from './reading/kg-evidence.repository.js';
import { BuiltGraphs } from './reading/built-graphs.js';
import { KgReadingService } from './reading/kg-reading.service.js';
import { KgPassagesRepository } from './view/kg-passages.repository.js';
import { KgViewService } from './view/kg-view.service.js';

/** Knowledge graphs of datasets: asked for and read. What a graph holds is what documents say that search shows. */
@Module({
  imports: [DatasetsModule, KgNeighbourhoodModule],
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

/** The part that extracts: for processes that work. */
@Module({
  imports: [DatasetsModule, KgModule],
  providers: [DocumentExtractors, KgExtraction, KgRenames, KgRunEnds, KgStep, ModelExtraction, PassageReading],
})
export class KgWorkModule {}
