import { join } from 'node:path';
import { Module } from '@nestjs/common';
import { Settings } from '#libs/config';
import { searchCacheBytes } from './search-cache-size.js';
import { DroppedWords } from './dropped-words.service.js';
import { WordFiles } from './word-files.service.js';

/** Of the memory for search: what its files may take. The words of a dataset take less in a file than in memory. */
const FILES_SHARE = 0.5;

/** Words of datasets in the data folder, for processes that search, and that those which work remove where documents are purged. */
@Module({
  providers: [
    {
      provide: WordFiles,
      useFactory: ({ values }: Settings) =>
        new WordFiles(join(values.dataDir, 'words'), searchCacheBytes(values.searchCacheMegabytes) * FILES_SHARE),
      inject: [Settings],
    },
    DroppedWords,
  ],
  exports: [WordFiles],
})
export class WordFilesModule {}
