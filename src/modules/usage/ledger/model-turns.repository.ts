import { result, rowsOf, statement, type UnitOfWork } from '#libs/database';

/** A new call. */
export interface AskedTurn {
  readonly id: string;
  readonly party: string;
  readonly waitsForPerson: boolean;
}

/** Changes of one process for one model. */
export interface TurnRound {
  readonly model: string;
  readonly places: number;
  readonly asked: readonly AskedTurn[];
  readonly left: readonly string[];
  /** Calls that wait for a place or have one. */
  readonly kept: readonly string[];
  readonly leaseSeconds: number;
}

const LOCK = statement({ locked: result.nothing }, `SELECT pg_advisory_xact_lock(hashtextextended($1, 17)) AS locked`);
const LEAVE = statement(
  {},
  `DELETE FROM model_turns WHERE model = $1 AND (id = ANY ($2::uuid[]) OR expires_at < clock_timestamp())`,
);
/** Rows that another process has removed as expired are inserted again, after all others. */
const KEEP = statement(
  {},
  `INSERT INTO model_turns (id, model, party, waits_for_person, expires_at)
   SELECT a.id, $1, a.party, a.waits_for_person, clock_timestamp() + make_interval(secs => $5)
   FROM unnest($2::uuid[], $3::uuid[], $4::boolean[]) AS a(id, party, waits_for_person)
   ON CONFLICT (id) DO NOTHING`,
);
const RENEW = statement(
  {},
  `UPDATE model_turns SET expires_at = clock_timestamp() + make_interval(secs => $3) WHERE model = $1 AND id = ANY ($2::uuid[])`,
);
/**
 * Free places are given one by one to the party with the fewest places; among equal parties first to calls that a person waits for, then to
 * the oldest call. `turn` is the number of places that the party would have with this one.
 */
const GRANT = statement(
  { id: result.uuid() },
  `WITH held AS (
     SELECT party, count(*) AS places FROM model_turns WHERE model = $1 AND granted_at IS NOT NULL GROUP BY party),
   line AS (
     SELECT t.id, t.waits_for_person, t.asked_at, coalesce(h.places, 0) + row_number() OVER (
         PARTITION BY t.party ORDER BY t.waits_for_person DESC, t.asked_at, t.id) AS turn
     FROM model_turns t LEFT JOIN held h ON h.party = t.party WHERE t.model = $1 AND t.granted_at IS NULL),
   next AS (
     SELECT id FROM line ORDER BY turn, waits_for_person DESC, asked_at, id
     LIMIT greatest(0, $2::bigint - coalesce((SELECT sum(places) FROM held), 0))::bigint)
   UPDATE model_turns t SET granted_at = clock_timestamp() FROM next WHERE t.id = next.id RETURNING t.id`,
);
const GRANTED = statement(
  { id: result.uuid() },
  `SELECT id FROM model_turns WHERE model = $1 AND id = ANY ($2::uuid[]) AND granted_at IS NOT NULL`,
);

/** Rows of `model_turns`. */
export class ModelTurnsRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /**
   * Records new and ended calls, and gives free places to the next calls of all processes. Resolves to those of the kept calls that have a
   * place.
   */
  async run({ model, places, asked, left, kept, leaseSeconds }: TurnRound): Promise<ReadonlySet<string>> {
    return this.unitOfWork.runAsSystem(
      async (manager) => {
        // One round at a time for each model, so that the next round counts the places given in this one.
        await rowsOf(manager, LOCK, [model]);
        await rowsOf(manager, LEAVE, [model, left]);
        const of = <T>(pick: (turn: AskedTurn) => T): T[] => asked.map(pick);
        await rowsOf(manager, RENEW, [model, kept, leaseSeconds]);
        const parameters = [model, of((t) => t.id), of((t) => t.party), of((t) => t.waitsForPerson), leaseSeconds];
        await rowsOf(manager, KEEP, parameters);
        await rowsOf(manager, GRANT, [model, places]);
        const rows = await rowsOf(manager, GRANTED, [model, kept]);
        return new Set(rows.map(({ id }) => id));
      },
      { durable: false },
    );
  }
}
