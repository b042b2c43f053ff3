import { BullModule } from '@nestjs/bullmq';
import { Global, Module, type DynamicModule } from '@nestjs/common';
import { NotificationProcessor } from './notification.processor.js';
import { QueueErrors } from './queue-errors.js';
import { queueConnection, type QueueConnectionOptions } from './queue-connection.js';
import { NOTIFICATION_QUEUE, WorkNotifier } from './work-notifier.js';

/** Notifications of work: every process can send them, workers receive them. */
@Global()
@Module({})
export class QueueModule {
  static forRoot(options: QueueConnectionOptions & { readonly listens: boolean }): DynamicModule {
    return {
      module: QueueModule,
      imports: [
        BullModule.forRoot({ connection: queueConnection(options) }),
        BullModule.registerQueue({ name: NOTIFICATION_QUEUE }),
      ],
      providers: options.listens ? [QueueErrors, WorkNotifier, NotificationProcessor] : [QueueErrors, WorkNotifier],
      exports: [BullModule, WorkNotifier],
    };
  }
}
