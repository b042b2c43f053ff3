import { Module } from '@nestjs/common';
import { ShownContentModule } from '../content/index.js';
import { DatasetsModule } from '../datasets/index.js';
import { DocumentsModule } from '../documents/index.js';
import { CitedRows } from './sql/cited-rows.port.js';
import { DocumentTablesRepository } from './catalogue/document-tables.repository.js';
import { NaturalLanguageQueriesService } from './queries/natural-language-queries.service.js';
import { ModelStatements } from './questions/model-statements.service.js';
import { RuleReadings } from './questions/rule-readings.service.js';
import { RowEvidence } from './sql/row-evidence.repository.js';
import { RowPlacesRepository } from './sql/row-places.repository.js';
import { RuledTableAnswers } from './queries/ruled-table-answers.service.js';
import { DocumentJudge } from './semantic-filter/document-judge.service.js';
import { ModelJudge } from './semantic-filter/model-judge.service.js';
import { RowJudge } from './semantic-filter/row-judge.service.js';
import { SemanticFilterController } from './semantic-filter/semantic-filter.controller.js';
import { SemanticFilterService } from './semantic-filter/semantic-filter.service.js';
import { ShownTextsRepository } from './semantic-filter/shown-texts.repository.js';
import { SubjectTexts } from './semantic-filter/subject-texts.service.js';
import { TableRows } from './semantic-filter/table-rows.repository.js';
import { UndecidedOrder } from './semantic-filter/undecided-order.service.js';
import { SqlQueriesService } from './sql/sql-queries.service.js';
import { StoredCitedRows } from './sql/stored-cited-rows.repository.js';
import { StoredTableCatalogue } from './catalogue/stored-table-catalogue.service.js';
import { TableAnswers } from './sql/table-answers.port.js';
import { TableCatalogue } from './catalogue/table-catalogue.port.js';
import { TableNamesRepository } from './catalogue/table-names.repository.js';
import { TableQueriesController } from './queries/table-queries.controller.js';
import { TablesController } from './catalogue/tables.controller.js';
import { TablesProfile } from './catalogue/tables-profile.service.js';
import { TablesService } from './catalogue/tables.service.js';
import { TablesStep } from './building/tables.step.js';

/** The visible tables, for processes that serve requests and for workers. */
@Module({ providers: [DocumentTablesRepository, TablesProfile], exports: [DocumentTablesRepository] })
class ShownTablesModule {}

/** Tables of documents, and questions over them. */
@Module({
  imports: [DatasetsModule, DocumentsModule, ShownContentModule, ShownTablesModule],
  controllers: [TablesController, TableQueriesController, SemanticFilterController],
  providers: [
    NaturalLanguageQueriesService,
    RuleReadings,
    ModelStatements,
    RowEvidence,
    RowPlacesRepository,
    SqlQueriesService,
    TablesService,
    ShownTextsRepository,
    SubjectTexts,
    DocumentJudge,
    RowJudge,
    TableRows,
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

/** The step of ingestion that makes tables from documents, for workers. */
@Module({ imports: [ShownTablesModule], providers: [TableNamesRepository, TablesStep] })
export class TablesWorkModule {}
