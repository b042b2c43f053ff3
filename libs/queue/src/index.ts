export { migrateQueue, QUEUE_SCHEMA, queueConnection, type QueueConnectionOptions } from './queue-connection.js';
export { QueueModule } from './queue.module.js';
export { WorkNotifier, type WorkListener } from './work-notifier.js';
