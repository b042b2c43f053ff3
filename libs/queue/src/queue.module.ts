import { BullModule } from '@nestjs/bullmq';
import { Global, Module, type DynamicModule } from '@nestjs/common';
import { QUEUE_NAMES } from './jobs.js';
import { OutboxRelay } from './outbox-relay.js';
import { QueueErrors } from './queue-errors.js';
import { queueConnection, type QueueConnectionOptions } from './queue-connection.js';

/** The queues of the service. Only a process that works runs the relay. */
@Global()
@Module({})
export class QueueModule {
  static forRoot(options: QueueConnectionOptions & { readonly relay: boolean }): DynamicModule {
    return {
      module: QueueModule,
      imports: [
        BullModule.forRoot({ connection: queueConnection(options) }),
        BullModule.registerQueue(...QUEUE_NAMES.map((name) => ({ name }))),
      ],
      providers: options.relay ? [QueueErrors, OutboxRelay] : [QueueErrors],
      exports: [BullModule],
    };
  }
}
