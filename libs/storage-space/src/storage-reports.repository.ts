import { result, SQL_NOW, statement, systemRowsOf, type UnitOfWork } from '#libs/database';
import { SpaceNeeds, type FullServer, type KnownNeeds } from './space-needs.port.js';

const READ = statement(
  { waiting: result.float, full: result.texts<FullServer>() },
  `SELECT (SELECT coalesce(sum(size_bytes), 0)::float8 FROM tasks WHERE kind = 'ingestion') AS waiting,
     ARRAY(SELECT place FROM storage_reports WHERE until > ${SQL_NOW} ORDER BY place) AS "full"`,
);
const REPORT = statement(
  {},
  `INSERT INTO storage_reports (place, until) VALUES ($1, now() + make_interval(secs => $2::float8))
   ON CONFLICT (place) DO UPDATE SET until = excluded.until`,
);
const WITHDRAW = statement({}, `DELETE FROM storage_reports WHERE place = $1`);

/** Space as the database tells all processes of it. */
export class StorageReportsRepository extends SpaceNeeds {
  constructor(private readonly unitOfWork: UnitOfWork) {
    super();
  }

  async read(): Promise<KnownNeeds> {
    const [row] = await systemRowsOf(this.unitOfWork, READ);
    return { waitingBytes: row?.waiting ?? 0, full: row?.full ?? [] };
  }

  async report(server: FullServer, seconds: number): Promise<void> {
    await systemRowsOf(this.unitOfWork, REPORT, [server, seconds]);
  }

  async withdraw(server: FullServer): Promise<void> {
    await systemRowsOf(this.unitOfWork, WITHDRAW, [server]);
  }
}
