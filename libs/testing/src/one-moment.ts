import { UnitOfWork } from '#libs/database';

/** From this many microseconds of a millisecond on a time is rounded up. */
const ROUNDED_UP_FROM = 500;

/**
 * Runs `work` within one transaction of the system role, so that everything in it happens at the same time of the database: one that
 * a column with milliseconds keeps as a later time than it is. `moment` makes no transactions of its own.
 */
export async function inOneMoment<T>(unitOfWork: UnitOfWork, work: (moment: UnitOfWork) => Promise<T>): Promise<T> {
  for (;;) {
    const done = await unitOfWork.runAsSystem(async (manager) => {
      const [now] = await manager.query<{ micros: number }[]>(
        `SELECT extract(microseconds FROM now())::int % 1000 AS micros`,
      );
      if (now!.micros < ROUNDED_UP_FROM) return undefined;
      const moment = {
        runAsSystem: (inner: (m: typeof manager) => Promise<unknown>) => inner(manager),
        runOneAsSystem: (sql: string, parameters: readonly unknown[]) => manager.query(sql, [...parameters]),
      };
      return { value: await work(moment as unknown as UnitOfWork) };
    });
    if (done !== undefined) return done.value;
  }
}
