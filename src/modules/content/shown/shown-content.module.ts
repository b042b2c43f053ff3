import { Module } from '@nestjs/common';
import { ShownContentRepository } from './shown-content.repository.js';

/** Shown content of documents, for modules that read it, without the writing side of ingestion. */
@Module({ providers: [ShownContentRepository], exports: [ShownContentRepository] })
export class ShownContentModule {}
