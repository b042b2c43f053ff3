/** The time that deliveries follow; null: the database's, which is the same for all processes. A test gives a time that it moves. */
export abstract class EventTime {
  abstract now(): Date | null;
}

/** The database's clock. */
export class DatabaseTime extends EventTime {
  now(): null {
    return null;
  }
}
