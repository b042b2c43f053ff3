import type { DynamicModule } from '@nestjs/common';
import type { UnitOfWork } from '#libs/database';
import { WorkBell } from '#libs/queue';
import { DomainEvents } from '../domain-events.js';

const SILENT = { ring: () => undefined, onRing: () => () => undefined };

class SilentBellModule {}

/** Publishes over a database, with a bell that no one hears. */
export function eventsOver(unitOfWork: UnitOfWork): DomainEvents {
  return new DomainEvents(unitOfWork, SILENT);
}

/** A bell that no one hears, for all modules of a test. */
export function silentBell(): DynamicModule {
  return {
    module: SilentBellModule,
    global: true,
    providers: [{ provide: WorkBell, useValue: SILENT }],
    exports: [WorkBell],
  };
}
