import { Injectable } from '@nestjs/common';
import { systemRowsOf } from './tenant-repository.js';
import { UnitOfWork } from './unit-of-work.js';

/** Names of vector stores, as in the settings. */
export interface StorePlacementRow {
  /** Answers every search. */
  readonly active: string;
  /** Gets every write too. */
  readonly shadow: string | null;
  /** Attempts from this fencing token on have written into both; null until that is known. */
  readonly firstToken: string | null;
}

/** The active and the shadow vector store, for all processes of the installation. Every change is one statement. */
@Injectable()
export class StorePlacements {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** Undefined while the installation has never moved. */
  async read(): Promise<StorePlacementRow | undefined> {
    const [row] = await this.run(`SELECT active, shadow, first_token AS "firstToken" FROM store_placement`, []);
    return row;
  }

  /** From now on `shadow` gets every write too. False when another store answers than `active`. */
  async beginShadow(active: string, shadow: string): Promise<boolean> {
    const rows = await this.run(
      `INSERT INTO store_placement AS p (active, shadow) VALUES ($1, $2)
       ON CONFLICT (is_only) DO UPDATE SET shadow = $2, updated_at = now(),
         first_token = CASE WHEN p.shadow = $2 THEN p.first_token END
       WHERE p.active = $1
       RETURNING active, shadow, first_token AS "firstToken"`,
      [active, shadow],
    );
    return rows.length > 0;
  }

  /** Says that every process writes into both: attempts that begin from now on are complete in both. Keeps an earlier answer. */
  async noteFirstToken(shadow: string): Promise<string> {
    const [row] = await this.run(
      `UPDATE store_placement SET first_token = coalesce(first_token, nextval('fencing_tokens')) WHERE shadow = $1
       RETURNING active, shadow, first_token AS "firstToken"`,
      [shadow],
    );
    const token = row?.firstToken ?? null;
    if (token === null) throw new Error(`The installation does not write into ${shadow} any more`);
    return token;
  }

  /** The two stores change their parts. False when they have changed already or the move was given up. */
  async exchange(from: string, to: string): Promise<boolean> {
    const rows = await this.run(
      `UPDATE store_placement SET active = $2, shadow = $1, switched_at = now(), updated_at = now()
       WHERE active = $1 AND shadow = $2 RETURNING active, shadow, first_token AS "firstToken"`,
      [from, to],
    );
    return rows.length > 0;
  }

  /** From now on the active store alone is written. */
  async endShadow(): Promise<void> {
    await this.run(
      `UPDATE store_placement SET shadow = NULL, first_token = NULL, updated_at = now()
       RETURNING active, shadow, first_token AS "firstToken"`,
      [],
    );
  }

  private run(sql: string, parameters: readonly unknown[]): Promise<StorePlacementRow[]> {
    return systemRowsOf<StorePlacementRow>(this.unitOfWork, sql, parameters);
  }
}
