import { Module } from '@nestjs/common';
import { DatasetsModule } from '../datasets/index.js';
import { DocumentTablesRepository } from './document-tables.repository.js';
import { SqlQueriesService } from './sql-queries.service.js';
import { StoredTableCatalogue } from './stored-table-catalogue.js';
import { TableCatalogue } from './table-catalogue.port.js';
import { TableNamesRepository } from './table-names.repository.js';
import { TableQueriesController } from './table-queries.controller.js';
import { TablesController } from './tables.controller.js';
import { TablesService } from './tables.service.js';
import { TablesStep } from './tables.step.js';

/** Tables of documents: what there is, and questions over them. */
@Module({
  imports: [DatasetsModule],
  controllers: [TablesController, TableQueriesController],
  providers: [
    DocumentTablesRepository,
    SqlQueriesService,
    TablesService,
    { provide: TableCatalogue, useClass: StoredTableCatalogue },
  ],
  exports: [TableCatalogue],
})
export class TablesModule {}

/** The step of ingestion that makes tables of documents; for processes that work. */
@Module({ providers: [TableNamesRepository, TablesStep] })
export class TablesWorkModule {}
