import { join } from 'node:path';
import { Module } from '@nestjs/common';
import { Settings } from '#libs/config';
import { searchCacheBytes } from './search-cache-size.js';
import { DroppedWords } from './dropped-words.service.js';
import { WordFiles } from './word-files.service.js';

/** Bytes of files for each byte of the memory for search. The words of a dataset take less in a file than in memory. */
const FILES_SHARE = 0.5;

/** Words of datasets in the data folder: processes that search read and write them, workers remove them when documents are purged. */
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
