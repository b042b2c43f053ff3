/** The clock of deliveries; null: that of the database, which is the same for all processes. Tests give a time that they move. */
export abstract class EventTime {
  abstract now(): Date | null;
}

/** The database's clock. */
export class DatabaseTime extends EventTime {
  now(): null {
    return null;
  }
}
