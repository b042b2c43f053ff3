import { Module } from '@nestjs/common';
import { ShownContentRepository } from './shown-content.repository.js';

/** What documents show, for modules that read it; without what ingestion writes. */
@Module({ providers: [ShownContentRepository], exports: [ShownContentRepository] })
export class ShownContentModule {}
