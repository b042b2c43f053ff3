import { Global, Module } from '@nestjs/common';
import { KnownTrust } from '#libs/ai';
import { EmbeddingScales } from './embedding-scales.service.js';
import { EmbeddingScalesRepository } from './embedding-scales.repository.js';

/** Measurements of embedding models, for searches and for the health page. */
@Global()
@Module({
  providers: [EmbeddingScalesRepository, EmbeddingScales, { provide: KnownTrust, useExisting: EmbeddingScales }],
  exports: [EmbeddingScales, KnownTrust],
})
export class EmbeddingScalesModule {}
