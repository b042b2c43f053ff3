import { Logger, Module, type DynamicModule, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { DocumentParser } from './document-parser.port.js';
import { ChildProcessParser } from './pool/child-process-parser.js';
import type { ParserPoolOptions } from './pool/pool-options.js';

/** Provides `DocumentParser`, backed by limited child processes; they end with the application. */
@Module({})
export class ParsingModule implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger('Parsing');

  constructor(private readonly parser: DocumentParser) {}

  /** Options left out take their defaults. No file is parsed, and no child started for it, before the first one comes. */
  static forRoot(options: Partial<ParserPoolOptions> = {}): DynamicModule {
    return {
      module: ParsingModule,
      providers: [{ provide: DocumentParser, useFactory: () => new ChildProcessParser(options) }],
      exports: [DocumentParser],
    };
  }

  /** Says how files are kept apart; the start does not wait for it. */
  onModuleInit(): void {
    this.parser.describeIsolation().then(
      ({ kind, reason }) => {
        if (kind === 'namespaces') this.logger.log({ event: 'parser.isolation', kind });
        else this.logger.warn({ event: 'parser.isolation', kind, reason });
      },
      (error: unknown) => this.logger.error({ event: 'parser.isolation_unknown', reason: String(error) }),
    );
  }

  async onApplicationShutdown(): Promise<void> {
    await this.parser.close();
  }
}
