import { Module, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';
import { DocumentParser } from './document-parser.port.js';
import { ChildProcessParser } from './pool/child-process-parser.js';
import type { ParserPoolOptions } from './pool/pool-options.js';

/** Provides `DocumentParser`, backed by limited child processes; they end with the application. */
@Module({})
export class ParsingModule implements OnApplicationShutdown {
  constructor(private readonly parser: DocumentParser) {}

  /** Options left out take their defaults. No process is started before the first file. */
  static forRoot(options: Partial<ParserPoolOptions> = {}): DynamicModule {
    return {
      module: ParsingModule,
      providers: [{ provide: DocumentParser, useFactory: () => new ChildProcessParser(options) }],
      exports: [DocumentParser],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.parser.close();
  }
}
