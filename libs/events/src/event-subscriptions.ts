import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { markedMethodsOf, type EventHandler } from './on-domain-event.js';

/** A method that subscribes to one kind of event. */
export interface Subscription {
  readonly subscriber: string;
  readonly type: string;
  readonly version: number;
  readonly handle: EventHandler<unknown>;
}

/** Subscriptions of the modules of this process, found after all modules are initialised. */
@Injectable()
export class EventSubscriptions implements OnModuleInit {
  private readonly bySubscriber = new Map<string, Map<string, Subscription>>();

  constructor(private readonly discovery: DiscoveryService) {}

  onModuleInit(): void {
    for (const { instance } of this.discovery.getProviders()) {
      if (typeof instance === 'object' && instance !== null) this.register(instance as object);
    }
  }

  /** Names of the subscribers. */
  get subscribers(): readonly string[] {
    return [...this.bySubscriber.keys()];
  }

  /** Everything, in no order. */
  get all(): readonly Subscription[] {
    return [...this.bySubscriber.values()].flatMap((ofOne) => [...ofOne.values()]);
  }

  find(subscriber: string, type: string): Subscription | undefined {
    return this.bySubscriber.get(subscriber)?.get(type);
  }

  private register(instance: object): void {
    for (const { definition, subscriber, method } of markedMethodsOf(Object.getPrototypeOf(instance) as object)) {
      const { type, version } = definition;
      const ofOne = this.bySubscriber.get(subscriber) ?? new Map<string, Subscription>();
      if (ofOne.has(type))
        throw new Error(`Two methods subscribe to ${type} as "${subscriber}"; one of them needs another name.`);
      const handler = (instance as Record<string, EventHandler<unknown>>)[method]!;
      const handle: EventHandler<unknown> = (ctx, event, options) => handler.call(instance, ctx, event, options);
      this.bySubscriber.set(subscriber, ofOne.set(type, { subscriber, type, version, handle }));
    }
  }
}
