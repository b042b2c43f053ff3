import { Module, type DynamicModule } from '@nestjs/common';
import type { SettingsValues } from '#libs/config';
import type { Database } from '#libs/database';
import { HttpModule } from '#libs/http';
import { AccessWatchModule } from '#libs/tenancy';
import { InfrastructureModule } from './infrastructure.module.js';
import { AccountsModule } from '../modules/accounts/index.js';
import { ConversationsWorkModule } from '../modules/chat/index.js';
import { DatasetContentsModule } from '../modules/documents/index.js';
import { FactsQuarantineModule } from '../modules/governance/index.js';
import { EvaluationWorkModule } from '../modules/evaluations/index.js';
import { HealthWatchModule } from '../modules/health/index.js';
import { IngestionModule } from '../modules/ingestion/index.js';
import { KgWorkModule } from '../modules/kg/index.js';
import { RequestRetentionModule, RetrievalDefaultsModule, WordFilesModule } from '../modules/retrieval/index.js';
import { ScansWorkModule } from '../modules/scans/index.js';
import { TablesWorkModule } from '../modules/tables/index.js';
import { WebhookDeliveryModule } from '../modules/webhooks/index.js';
import { parsingFor } from './parsing-options.js';
import { modulesOf, type Plugin } from '../plugins/plugin.js';

/** The worker graph: documents through their stages. */
@Module({})
export class WorkerModule {
  /** The part that works, for a process that brings the infrastructure already. */
  static forRoot(settings: SettingsValues): DynamicModule {
    return {
      module: WorkerModule,
      imports: [
        parsingFor(settings),
        IngestionModule,
        ConversationsWorkModule,
        EvaluationWorkModule,
        KgWorkModule,
        RequestRetentionModule,
        ScansWorkModule,
        TablesWorkModule,
        WebhookDeliveryModule,
        WordFilesModule,
      ],
    };
  }

  /** A process of its own, without HTTP. */
  static standalone(settings: SettingsValues, database: Database, plugins: readonly Plugin[] = []): DynamicModule {
    const worker = WorkerModule.forRoot(settings);
    return {
      ...worker,
      imports: [
        InfrastructureModule.forRoot(settings, database),
        AccessWatchModule,
        HttpModule,
        AccountsModule,
        DatasetContentsModule,
        FactsQuarantineModule,
        HealthWatchModule,
        RetrievalDefaultsModule,
        ...(worker.imports ?? []),
        ...modulesOf(plugins),
      ],
    };
  }
}
