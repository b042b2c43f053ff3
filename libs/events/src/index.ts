export {
  DATASET_DELETED,
  DATASET_PURGED,
  DOCUMENT_CANCELLED,
  DOCUMENT_COMPLETED,
  DOCUMENT_COMPLETED_WITH_WARNINGS,
  DOCUMENT_DELETED,
  DOCUMENT_FAILED,
  DOCUMENT_QUARANTINED,
  DOCUMENT_RELEASED,
  DOCUMENT_RENAMED,
  EVALUATION_COMPLETED,
  KG_COMPLETED,
  POLICY_VERSION_CREATED,
  SCAN_COMPLETED,
  type DatasetDeleted,
  type DatasetPurged,
  type DocumentCancelled,
  type DocumentCompleted,
  type DocumentCompletedWithWarnings,
  type DocumentDeleted,
  type DocumentFailed,
  type DocumentQuarantined,
  type DocumentReleased,
  type DocumentRenamed,
  type EvaluationCompleted,
  type KgCompleted,
  type PolicyVersionCreated,
  type ScanCompleted,
} from './catalogue.js';
export { defineEvent, type DomainEvent, type EventDefinition, type EventPayload } from './define-event.js';
export { DomainEvents } from './domain-events.js';
export { EventPumpOptions } from './event-pump.js';
export { EventRules } from './event-rules.js';
export { DatabaseTime } from './event-time.js';
export { EventsModule, type EventsModuleOptions } from './events.module.js';
export { ParkedEvents, type ParkedCount, type ParkedEvent, type ParkedSelection } from './parked-events.js';
export { OnDomainEvent, type DeliveryOptions, type EventHandler, type SubscriptionOptions } from './on-domain-event.js';
