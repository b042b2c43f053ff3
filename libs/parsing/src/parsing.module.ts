import { Module, type DynamicModule, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { PinoLogger } from 'nestjs-pino';
import { DocumentParser } from './document-parser.port.js';
import { ChildProcessParser } from './pool/child-process-parser.js';
import type { ParserPoolOptions } from './pool/pool-options.js';

/** Provides `DocumentParser`, backed by limited child processes; they end with the application. */
@Module({})
export class ParsingModule implements OnModuleInit, OnApplicationShutdown {
  constructor(
    private readonly parser: DocumentParser,
    private readonly logger: PinoLogger,
  ) {}

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
        if (kind === 'namespaces') this.logger.info({ kind }, 'parser.isolation');
        else this.logger.warn({ kind, reason }, 'parser.isolation');
      },
      (error: unknown) => this.logger.error({ err: error }, 'parser.isolation_unknown'),
    );
  }

  async onApplicationShutdown(): Promise<void> {
    await this.parser.close();
  }
}
