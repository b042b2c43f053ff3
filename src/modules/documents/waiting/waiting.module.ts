import { Module } from '@nestjs/common';
import { DocumentsModule } from '../documents.module.js';
import { DependencyGates } from './dependency-gates.service.js';
import { SpaceWaits } from './space-waits.repository.js';
import { SpaceWatch } from './space-watch.service.js';

/** Waiting of documents: for a busy dependency or for disk space. */
@Module({
  imports: [DocumentsModule],
  providers: [DependencyGates, SpaceWaits, SpaceWatch],
  exports: [DependencyGates, SpaceWaits, SpaceWatch],
})
export class WaitingModule {}
