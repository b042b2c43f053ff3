import { Module } from '@nestjs/common';
import { LowPriority } from '#libs/common';
import { ChatModule } from '../chat/index.js';
import { ShownContentModule } from '../content/index.js';
import { DatasetsModule } from '../datasets/index.js';
import { RetrievalModule } from '../retrieval/index.js';
import { CaseSetsController } from './case-sets/case-sets.controller.js';
import { CaseEvidenceRepository } from './records/case-evidence.repository.js';
import { CaseSetsRepository } from './records/case-sets.repository.js';
import { CaseSetsService } from './case-sets/case-sets.service.js';
import { CaseTextsRepository } from './records/case-texts.repository.js';
import { EvaluationJobsController } from './jobs/evaluation-jobs.controller.js';
import { EvaluationOutcomesController } from './report/evaluation-outcomes.controller.js';
import { EvaluationReportController } from './report/evaluation-report.controller.js';
import { DeletedDatasets } from './case-sets/deleted-datasets.service.js';
import { CaseGenerationRun } from './generation/case-generation-run.task.js';
import { CaseGenerations, SettledCaseSets } from './generation/case-generations.service.js';
import { CaseSource } from './generation/case-source.service.js';
import { PassagesRepository } from './generation/passages.repository.js';
import { CaseAnswers } from './jobs/case-answers.service.js';
import { CaseSearch } from './jobs/case-search.service.js';
import { EvaluationJobsRepository } from './records/evaluation-jobs.repository.js';
import { EvaluationJobsService } from './jobs/evaluation-jobs.service.js';
import { EvaluationResultsRepository } from './jobs/evaluation-results.repository.js';
import { EvaluationRun } from './jobs/evaluation-run.task.js';
import { JobConclusion } from './jobs/job-conclusion.service.js';
import { JobIntake } from './jobs/job-intake.service.js';
import { JobValues } from './jobs/job-values.service.js';
import { AnswerJudge } from './judge/answer-judge.service.js';
import { JudgementsRepository } from './judge/judgements.repository.js';
import { EvaluationReports } from './report/evaluation-reports.service.js';
import { WritingModel } from './cases/writing-model.service.js';

/** Case sets and evaluations: stored, started and shown. */
@Module({
  imports: [ChatModule, DatasetsModule, RetrievalModule],
  controllers: [CaseSetsController, EvaluationJobsController, EvaluationOutcomesController, EvaluationReportController],
  providers: [
    CaseEvidenceRepository,
    CaseGenerations,
    CaseSetsRepository,
    CaseSetsService,
    CaseTextsRepository,
    SettledCaseSets,
    WritingModel,
    EvaluationJobsRepository,
    EvaluationResultsRepository,
    EvaluationJobsService,
    JobIntake,
    JobValues,
    EvaluationReports,
  ],
  exports: [
    CaseSetsRepository,
    CaseTextsRepository,
    EvaluationJobsRepository,
    EvaluationResultsRepository,
    JobValues,
    WritingModel,
  ],
})
export class EvaluationsModule {}

/** The background work of evaluations, for workers. */
@Module({
  imports: [ChatModule, DatasetsModule, RetrievalModule, EvaluationsModule, ShownContentModule],
  providers: [
    AnswerJudge,
    CaseAnswers,
    CaseGenerationRun,
    CaseSearch,
    CaseSource,
    EvaluationRun,
    DeletedDatasets,
    JobConclusion,
    JudgementsRepository,
    PassagesRepository,
    { provide: LowPriority, useFactory: () => new LowPriority() },
  ],
})
export class EvaluationWorkModule {}
