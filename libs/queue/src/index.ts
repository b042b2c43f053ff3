export { migrateQueue, QUEUE_SCHEMA, queueConnection, type QueueConnectionOptions } from './queue-connection.js';
export { QueueModule } from './queue.module.js';
export { WorkBell, type RingListener } from './work-bell.js';
