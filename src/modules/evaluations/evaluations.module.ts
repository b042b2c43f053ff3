import { Module } from '@nestjs/common';
import { ChatModule } from '../chat/index.js';
import { DatasetsModule } from '../datasets/index.js';
import { RetrievalModule } from '../retrieval/index.js';
import { CaseSetsController } from './case-sets.controller.js';
import { CaseSetsRepository } from './cases/case-sets.repository.js';
import { CaseSetsService } from './cases/case-sets.service.js';
import { EvaluationJobsController } from './evaluation-jobs.controller.js';
import { EvaluationOutcomesController } from './evaluation-outcomes.controller.js';
import { EvaluationReportController } from './evaluation-report.controller.js';
import { ForgottenDatasets } from './forgotten-datasets.js';
import { CaseAnswers } from './jobs/case-answers.js';
import { CaseSearch } from './jobs/case-search.js';
import { EvaluationJobsRepository } from './jobs/evaluation-jobs.repository.js';
import { EvaluationJobsService } from './jobs/evaluation-jobs.service.js';
import { EvaluationResultsRepository } from './jobs/evaluation-results.repository.js';
import { EvaluationRun } from './jobs/evaluation-run.js';
import { JobConclusion } from './jobs/job-conclusion.js';
import { JobIntake } from './jobs/job-intake.js';
import { JobValues } from './jobs/job-values.js';
import { EvaluationReports } from './report/evaluation-reports.js';

/** Case sets and evaluations: kept, started, shown. */
@Module({
  imports: [ChatModule, DatasetsModule, RetrievalModule],
  controllers: [CaseSetsController, EvaluationJobsController, EvaluationOutcomesController, EvaluationReportController],
  providers: [
    CaseSetsRepository,
    CaseSetsService,
    EvaluationJobsRepository,
    EvaluationResultsRepository,
    EvaluationJobsService,
    JobIntake,
    JobValues,
    EvaluationReports,
  ],
  exports: [CaseSetsRepository, EvaluationJobsRepository, EvaluationResultsRepository, JobValues],
})
export class EvaluationsModule {}

/** What a process that works does for evaluations. */
@Module({
  imports: [ChatModule, DatasetsModule, RetrievalModule, EvaluationsModule],
  providers: [CaseAnswers, CaseSearch, EvaluationRun, ForgottenDatasets, JobConclusion],
})
export class EvaluationWorkModule {}
