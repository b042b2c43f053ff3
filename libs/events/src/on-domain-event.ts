import 'reflect-metadata';
import type { RequestContext } from '#libs/tenancy';
import type { DomainEvent, EventDefinition } from './define-event.js';

const SUBSCRIPTIONS = Symbol('domain event subscriptions');

/** Context of a delivery beside the event. */
export interface DeliveryOptions {
  /** Aborted when the delivery takes too long, another process has taken it over or the service stops. */
  readonly signal: AbortSignal;
}

/** Resolves when the event has had its effect; rejects to get it again later. The same event delivered twice must lead to the same state. */
export type EventHandler<P> = (ctx: RequestContext, event: DomainEvent<P>, options: DeliveryOptions) => Promise<void>;

export interface SubscriptionOptions {
  /**
   * Name of the subscriber, stored with pending deliveries, so it never changes. Several methods may share it; their events arrive in one order
   * for each subject.
   */
  readonly subscriber: string;
}

/** A method that was marked. */
export interface MarkedMethod {
  readonly definition: EventDefinition<unknown>;
  readonly subscriber: string;
  readonly method: string;
}

/**
 * Has a method of any provider called for each event of this kind, in workers: at least once, and in order for each subject. The context has the
 * tenant of the event, and the service itself as principal.
 */
export function OnDomainEvent<P>(definition: EventDefinition<P>, options: SubscriptionOptions) {
  return (target: object, method: string, _descriptor: { readonly value?: EventHandler<P> }): void => {
    const before = Reflect.getOwnMetadata(SUBSCRIPTIONS, target) as readonly MarkedMethod[] | undefined;
    const marked = { definition: definition as EventDefinition<unknown>, subscriber: options.subscriber, method };
    Reflect.defineMetadata(SUBSCRIPTIONS, [...(before ?? []), marked], target);
  };
}

/** The marked methods of a class, those of the classes above it included. */
export function markedMethodsOf(prototype: object | null): readonly MarkedMethod[] {
  if (prototype === null) return [];
  const own = Reflect.getOwnMetadata(SUBSCRIPTIONS, prototype) as readonly MarkedMethod[] | undefined;
  return [...markedMethodsOf(Object.getPrototypeOf(prototype) as object | null), ...(own ?? [])];
}
