/**
 * Values of a payload: ids, numbers and codes. Never names, texts or anything else that a user wrote, because events are in tables that are read
 * before a tenant is known, and webhooks send them out of the installation.
 */
export type EventField = string | number | boolean | null | readonly string[];

/** Constrains `P` to an object of such fields. */
export type EventPayload<P> = { readonly [Name in keyof P]: EventField };

/** A kind of event: its name, its payload and the module that may publish it. */
export interface EventDefinition<P> {
  /** `<thing>.<what happened to it>`; never changes once released. */
  readonly type: string;
  /** Version of the payload. Adding fields keeps the version; any other change needs a new one. */
  readonly version: number;
  /** The only module of `src/modules` that publishes it, or the package of a module from outside. */
  readonly publisher: string;
  /** Name of the field with the subject of the event, a UUID: events of one subject arrive in the order in which they were published. */
  readonly subject: string & keyof P;
}

/** Declares an event: each module declares those that it publishes in its `*.events.ts`, and so does a module from outside. */
export function defineEvent<P extends EventPayload<P>>(definition: EventDefinition<P>): EventDefinition<P> {
  return Object.freeze({ ...definition });
}

/** An event as a subscriber gets it. The same `id` means the same event, delivered again. */
export interface DomainEvent<P> {
  readonly id: string;
  /** Number of the event, a decimal text: greater than that of every earlier event of the same subject. */
  readonly seq: string;
  readonly type: string;
  readonly version: number;
  readonly subject: string;
  readonly occurredAt: Date;
  readonly payload: P;
}
