import { BullModule } from '@nestjs/bullmq';
import { Global, Module, type DynamicModule } from '@nestjs/common';
import { BellProcessor } from './bell.processor.js';
import { QueueErrors } from './queue-errors.js';
import { queueConnection, type QueueConnectionOptions } from './queue-connection.js';
import { BELL_QUEUE, WorkBell } from './work-bell.js';

/** The bell: every process can ring it, one that works hears it. */
@Global()
@Module({})
export class QueueModule {
  static forRoot(options: QueueConnectionOptions & { readonly listens: boolean }): DynamicModule {
    return {
      module: QueueModule,
      imports: [
        BullModule.forRoot({ connection: queueConnection(options) }),
        BullModule.registerQueue({ name: BELL_QUEUE }),
      ],
      providers: options.listens ? [QueueErrors, WorkBell, BellProcessor] : [QueueErrors, WorkBell],
      exports: [BullModule, WorkBell],
    };
  }
}
