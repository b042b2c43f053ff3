import { join } from 'node:path';
import type { DynamicModule } from '@nestjs/common';
import type { SettingsValues } from '#libs/config';
import { ParsingModule } from '#libs/parsing';

/** The parser, for every module of a process: those that work read documents, those that answer requests look at single pages. */
export function parsingFor(settings: SettingsValues): DynamicModule {
  const parsing = ParsingModule.forRoot({
    poolSize: settings.parserProcesses,
    memoryBytes: settings.parserMemoryBytes,
    workFolder: join(settings.dataDir, 'work'),
    hidden: [settings.dataDir],
  });
  return { ...parsing, global: true };
}
