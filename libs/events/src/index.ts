export { defineEvent, type DomainEvent, type EventDefinition, type EventPayload } from './define-event.js';
export { DomainEvents } from './domain-events.js';
export { EventDispatcherOptions } from './event-dispatcher.js';
export { EventRules } from './event-rules.js';
export { DatabaseTime } from './event-time.js';
export { EventsModule, type EventsModuleOptions } from './events.module.js';
export { ParkedEvents, type ParkedCount, type ParkedEvent, type ParkedSelection } from './parked-events.js';
export { OnDomainEvent, type DeliveryOptions, type EventHandler, type SubscriptionOptions } from './on-domain-event.js';
