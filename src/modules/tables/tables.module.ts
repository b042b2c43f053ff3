import { Module } from '@nestjs/common';
import { DatasetsModule } from '../datasets/index.js';
import { DocumentsModule } from '../documents/index.js';
import { CitedRows } from './cited-rows.port.js';
import { DocumentTablesRepository } from './document-tables.repository.js';
import { NaturalLanguageQueriesService } from './natural-language-queries.service.js';
import { ModelStatements } from './questions/model-statements.js';
import { RuleReadings } from './questions/rule-readings.js';
import { RowPlacesRepository } from './row-places.repository.js';
import { RuledTableAnswers } from './ruled-table-answers.js';
import { DocumentJudge } from './semantic-filter/document-judge.js';
import { ModelJudge } from './semantic-filter/model-judge.js';
import { RowJudge } from './semantic-filter/row-judge.js';
import { SemanticFilterController } from './semantic-filter.controller.js';
import { SemanticFilterService } from './semantic-filter/semantic-filter.service.js';
import { ShownTextsRepository } from './semantic-filter/shown-texts.repository.js';
import { SubjectTexts } from './semantic-filter/subject-texts.js';
import { UndecidedOrder } from './semantic-filter/undecided-order.js';
import { SqlQueriesService } from './sql-queries.service.js';
import { StoredCitedRows } from './stored-cited-rows.js';
import { StoredTableCatalogue } from './stored-table-catalogue.js';
import { TableAnswers } from './table-answers.port.js';
import { TableCatalogue } from './table-catalogue.port.js';
import { TableNamesRepository } from './table-names.repository.js';
import { TableQueriesController } from './table-queries.controller.js';
import { TablesController } from './tables.controller.js';
import { TablesProfile } from './tables-profile.js';
import { TablesService } from './tables.service.js';
import { TablesStep } from './tables.step.js';

/** The tables that are shown; for processes that answer and for those that work. */
@Module({ providers: [DocumentTablesRepository, TablesProfile], exports: [DocumentTablesRepository] })
class ShownTablesModule {}

/** Tables of documents: what there is, and questions over them. */
@Module({
  imports: [DatasetsModule, DocumentsModule, ShownTablesModule],
  controllers: [TablesController, TableQueriesController, SemanticFilterController],
  providers: [
    NaturalLanguageQueriesService,
    RuleReadings,
    ModelStatements,
    RowPlacesRepository,
    SqlQueriesService,
    TablesService,
    ShownTextsRepository,
    SubjectTexts,
    DocumentJudge,
    RowJudge,
    UndecidedOrder,
    ModelJudge,
    SemanticFilterService,
    { provide: TableCatalogue, useClass: StoredTableCatalogue },
    { provide: TableAnswers, useClass: RuledTableAnswers },
    { provide: CitedRows, useClass: StoredCitedRows },
  ],
  exports: [CitedRows, TableAnswers, TableCatalogue],
})
export class TablesModule {}

/** The step of ingestion that makes tables of documents; for processes that work. */
@Module({ imports: [ShownTablesModule], providers: [TableNamesRepository, TablesStep] })
export class TablesWorkModule {}
