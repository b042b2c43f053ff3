import { BullModule } from '@nestjs/bullmq';
import { Global, Module, type DynamicModule } from '@nestjs/common';
import { BellProcessor } from './bell.processor.js';
import { QUEUE_NAMES } from './jobs.js';
import { OutboxRelay } from './outbox-relay.js';
import { QueueErrors } from './queue-errors.js';
import { queueConnection, type QueueConnectionOptions } from './queue-connection.js';
import { BELL_QUEUE, WorkBell } from './work-bell.js';

/** The queues of the service. Only a process that works runs the relay and hears the bell. */
@Global()
@Module({})
export class QueueModule {
  static forRoot(options: QueueConnectionOptions & { readonly relay: boolean }): DynamicModule {
    return {
      module: QueueModule,
      imports: [
        BullModule.forRoot({ connection: queueConnection(options) }),
        BullModule.registerQueue({ name: BELL_QUEUE }, ...QUEUE_NAMES.map((name) => ({ name }))),
      ],
      providers: options.relay ? [QueueErrors, WorkBell, OutboxRelay, BellProcessor] : [QueueErrors, WorkBell],
      exports: [BullModule, WorkBell],
    };
  }
}
