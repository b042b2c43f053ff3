import { Global, Module } from '@nestjs/common';
import { KnownTrust } from '#libs/ai';
import { EmbeddingScales } from './embedding-scales.service.js';
import { EmbeddingScalesRepository } from './embedding-scales.repository.js';

/** What embedding models were measured to know: for searches, and for anyone who shows it. */
@Global()
@Module({
  providers: [EmbeddingScalesRepository, EmbeddingScales, { provide: KnownTrust, useExisting: EmbeddingScales }],
  exports: [EmbeddingScales, KnownTrust],
})
export class EmbeddingScalesModule {}
