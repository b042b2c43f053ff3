import { Module, type DynamicModule } from '@nestjs/common';
import type { SettingsValues } from '#libs/config';
import type { Database } from '#libs/database';
import { HttpModule } from '#libs/http';
import { TenancyModule } from '#libs/tenancy';
import { DescriptionModule } from '../description/description.module.js';
import { InfrastructureModule } from './infrastructure.module.js';
import { AccountsModule } from '../modules/accounts/index.js';
import { ChatModule, ChatOutlookModule } from '../modules/chat/index.js';
import { DatasetsModule } from '../modules/datasets/index.js';
import { DatasetContentsModule, DocumentsModule } from '../modules/documents/index.js';
import { EvaluationsModule } from '../modules/evaluations/index.js';
import { FactsQuarantineModule, GovernanceModule } from '../modules/governance/index.js';
import { HealthModule } from '../modules/health/index.js';
import { ReembeddingsModule } from '../modules/indexing/index.js';
import { DryRunModule } from '../modules/ingestion/index.js';
import { IngestionPolicyModule } from '../modules/ingestion-policy/index.js';
import { IntegrationsModule } from '../modules/integrations/index.js';
import { RetrievalDefaultsModule, RetrievalModule } from '../modules/retrieval/index.js';
import { KgModule } from '../modules/kg/index.js';
import { ScansModule } from '../modules/scans/index.js';
import { TablesModule } from '../modules/tables/index.js';
import { UsageModule } from '../modules/usage/index.js';
import { WebhooksModule } from '../modules/webhooks/index.js';
import { parsingFor } from './parsing-options.js';
import { modulesOf, type Plugin } from '../plugins/plugin.js';
import { WarmupModule } from './warmup.module.js';
import { WorkerModule } from './worker.module.js';

/** The API graph. With ROLE=all the worker graph runs in the same process. */
@Module({})
export class AppModule {
  static forRoot(settings: SettingsValues, database: Database, plugins: readonly Plugin[] = []): DynamicModule {
    return {
      module: AppModule,
      imports: [
        InfrastructureModule.forRoot(settings, database),
        TenancyModule,
        HttpModule,
        AccountsModule,
        UsageModule,
        DatasetContentsModule,
        DatasetsModule,
        IngestionPolicyModule,
        DocumentsModule,
        ReembeddingsModule,
        DryRunModule,
        GovernanceModule,
        FactsQuarantineModule,
        KgModule,
        ScansModule,
        TablesModule,
        RetrievalDefaultsModule,
        RetrievalModule,
        ChatOutlookModule,
        ChatModule,
        EvaluationsModule,
        IntegrationsModule,
        WebhooksModule,
        HealthModule,
        WarmupModule,
        DescriptionModule,
        ...modulesOf(plugins),
        settings.role === 'all' ? WorkerModule.forRoot(settings) : parsingFor(settings),
      ],
    };
  }
}
