/**
 * What a payload may hold: ids, numbers and codes. Never names, texts or anything else that a user wrote, because events lie in
 * tables that are read before a tenant is known, and leave the installation with webhooks.
 */
export type EventField = string | number | boolean | null | readonly string[];

/** Constrains `P` to an object of such fields. */
export type EventPayload<P> = { readonly [Name in keyof P]: EventField };

/** A kind of event: what it is called, what it carries and who may say that it happened. */
export interface EventDefinition<P> {
  /** `<thing>.<what happened to it>`; never changes once released. */
  readonly type: string;
  /** Of the payload. Fields may be added without a new one; any other change is a new version. */
  readonly version: number;
  /** The only module of `src/modules` that publishes it, or the package of a module from outside. */
  readonly publisher: string;
  /** The field that names what the event happened to, a UUID: events of one subject arrive in the order in which they were published. */
  readonly subject: string & keyof P;
}

/** Declares an event: each module declares those that it publishes in its `*.events.ts`, and so does a module from outside. */
export function defineEvent<P extends EventPayload<P>>(definition: EventDefinition<P>): EventDefinition<P> {
  return Object.freeze({ ...definition });
}

/** An event as a subscriber gets it. The same `id` again is the same event, delivered once more. */
export interface DomainEvent<P> {
  readonly id: string;
  /** Its number, a decimal: greater than that of every event that was published of the same subject before. */
  readonly seq: string;
  readonly type: string;
  readonly version: number;
  readonly subject: string;
  readonly occurredAt: Date;
  readonly payload: P;
}
