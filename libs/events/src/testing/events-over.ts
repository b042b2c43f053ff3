import type { DynamicModule } from '@nestjs/common';
import type { UnitOfWork } from '#libs/database';
import { WorkNotifier } from '#libs/queue';
import { DomainEvents } from '../domain-events.js';

const SILENT = { notify: () => undefined, listen: () => () => undefined };

class SilentBellModule {}

/** Publishes over a database, with notifications that reach no one. */
export function eventsOver(unitOfWork: UnitOfWork): DomainEvents {
  return new DomainEvents(unitOfWork, SILENT);
}

/** Notifications that reach no one, for all modules of a test. */
export function silentNotifier(): DynamicModule {
  return {
    module: SilentBellModule,
    global: true,
    providers: [{ provide: WorkNotifier, useValue: SILENT }],
    exports: [WorkNotifier],
  };
}
