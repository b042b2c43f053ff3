import { Global, Module, type DynamicModule } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { DomainEvents } from './domain-events.js';
import { EventDeliverer } from './event-deliverer.js';
import { EventFanOut } from './event-fan-out.js';
import { EventLanesRepository } from './event-lanes.repository.js';
import { EventMetrics } from './event-metrics.js';
import { EventDispatcher, EventDispatcherOptions } from './event-dispatcher.js';
import { EventRules } from './event-rules.js';
import { EventSubscriptions } from './event-subscriptions.js';
import { DatabaseTime, EventTime } from './event-time.js';
import { ForgottenEvents } from './forgotten-events.js';
import { ParkedEvents } from './parked-events.js';

export interface EventsModuleOptions {
  /** Options of delivery; null: this process only publishes. */
  readonly delivery: EventDispatcherOptions | null;
  readonly rules: EventRules;
}

const DELIVERY = [
  EventSubscriptions,
  EventFanOut,
  EventLanesRepository,
  EventDeliverer,
  EventDispatcher,
  EventMetrics,
  ForgottenEvents,
];

/** Provides `DomainEvents` everywhere; in a worker it also finds the subscribers and delivers to them. */
@Global()
@Module({})
export class EventsModule {
  static forRoot(options: EventsModuleOptions): DynamicModule {
    return {
      module: EventsModule,
      imports: [DiscoveryModule],
      providers: [
        DomainEvents,
        ParkedEvents,
        { provide: EventRules, useValue: options.rules },
        { provide: EventTime, useClass: DatabaseTime },
        ...(options.delivery === null
          ? []
          : [...DELIVERY, { provide: EventDispatcherOptions, useValue: options.delivery }]),
      ],
      exports: [DomainEvents, ParkedEvents],
    };
  }
}
