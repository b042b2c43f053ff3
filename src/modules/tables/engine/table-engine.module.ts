import { Module, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';
import { ProcessTableEngine } from './pool/process-table-engine.js';
import type { TableEngineOptions } from './pool/engine-options.js';
import { TableEngine } from './table-engine.port.js';

/** Provides `TableEngine`; its processes end with the application. No process is started before the first statement comes. */
@Module({})
export class TableEngineModule implements OnApplicationShutdown {
  constructor(private readonly engine: TableEngine) {}

  /** Options left out take their defaults. */
  static forRoot(options: Partial<TableEngineOptions> = {}): DynamicModule {
    return {
      module: TableEngineModule,
      providers: [{ provide: TableEngine, useFactory: () => new ProcessTableEngine(options) }],
      exports: [TableEngine],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.engine.close();
  }
}
