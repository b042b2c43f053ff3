import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * One table of everything that is to be done in the background. What stood in the outbox only pointed at tasks, so it goes.
 *
 * `group_id`: tasks of one group may be taken together. `subject`: what a task is about, to find it by. `fencing_token`: of the
 * latest lease; each write of a worker names it. Tasks of kind `ingestion` have the id of their document, and are removed
 * instead of ended: what became of them stands in the document.
 */
const TASKS = `
ALTER TABLE ingestion_tasks RENAME TO tasks;
ALTER TABLE tasks RENAME CONSTRAINT ingestion_tasks_pkey TO tasks_pkey;
ALTER TABLE tasks RENAME COLUMN document_id TO id;
ALTER TABLE tasks RENAME COLUMN dataset_id TO group_id;
ALTER TABLE tasks
  ADD COLUMN kind text NOT NULL DEFAULT 'ingestion',
  ADD COLUMN subject text,
  ADD COLUMN payload jsonb NOT NULL DEFAULT '{}',
  ADD COLUMN principal jsonb,
  ADD COLUMN status text NOT NULL DEFAULT 'open',
  ADD COLUMN progress jsonb NOT NULL DEFAULT '{}',
  ADD COLUMN error_code text,
  ADD COLUMN error text,
  ADD COLUMN cancel_requested_at timestamptz(3),
  ADD COLUMN created_at timestamptz(3) NOT NULL DEFAULT now(),
  ADD COLUMN updated_at timestamptz(3) NOT NULL DEFAULT now(),
  ADD COLUMN ended_at timestamptz(3);
UPDATE tasks SET payload = jsonb_build_object('attempt', attempt), created_at = queued_at;
ALTER TABLE tasks
  ALTER COLUMN kind DROP DEFAULT,
  DROP COLUMN attempt,
  DROP COLUMN enqueued_at,
  ADD CONSTRAINT tasks_status_check CHECK (status IN ('open', 'completed', 'failed', 'cancelled')),
  ADD CONSTRAINT tasks_lease_check CHECK (status = 'open' OR lease_owner IS NULL),
  ADD CONSTRAINT tasks_ended_check CHECK ((status = 'open') = (ended_at IS NULL));
INSERT INTO tasks (id, tenant_id, kind, payload, status, progress, error_code, error, created_at, updated_at, ended_at, queued_at)
  SELECT id, tenant_id,
    CASE kind WHEN 'delete_dataset' THEN 'dataset_deletion' WHEN 'purge_dataset' THEN 'dataset_purge'
      WHEN 'reembed_dataset' THEN 'reembedding' WHEN 'reembed' THEN 'reembedding_of_all' WHEN 'reconcile' THEN 'reconciliation'
      WHEN 'reindex' THEN CASE WHEN payload ?| ARRAY['to', 'finish'] THEN 'store_move' ELSE 'reindex' END ELSE kind END,
    payload, CASE WHEN status IN ('pending', 'running') THEN 'open' ELSE status END, progress,
    CASE WHEN error IS NOT NULL THEN 'INTERNAL_ERROR' END, error, created_at, updated_at,
    CASE WHEN status IN ('pending', 'running') THEN NULL ELSE updated_at END, created_at
  FROM maintenance_tasks;
DROP TABLE maintenance_tasks;
DROP TABLE outbox;
`;

const INDEXES = `
DROP INDEX ingestion_tasks_turn, ingestion_tasks_delayed, ingestion_tasks_lease;
CREATE INDEX tasks_ingestion_turn ON tasks (tenant_id, priority, (CASE WHEN size_bytes > 1048576 THEN 1 ELSE 0 END), queued_at)
  WHERE kind = 'ingestion' AND lease_owner IS NULL AND not_before IS NULL;
CREATE INDEX tasks_turn ON tasks (kind, tenant_id, priority, queued_at, id)
  WHERE kind <> 'ingestion' AND status = 'open' AND lease_owner IS NULL AND not_before IS NULL;
CREATE INDEX tasks_delayed ON tasks (not_before) WHERE not_before IS NOT NULL;
CREATE INDEX tasks_lease ON tasks (lease_expires_at) WHERE lease_expires_at IS NOT NULL;
CREATE INDEX tasks_subject ON tasks (kind, subject) WHERE subject IS NOT NULL;
CREATE INDEX tasks_created ON tasks (kind, created_at) WHERE kind <> 'ingestion';
CREATE INDEX tasks_ended ON tasks (kind, ended_at) WHERE ended_at IS NOT NULL;
`;

const TURNS = `
ALTER TABLE ingestion_turns RENAME TO task_turns;
ALTER TABLE task_turns ADD COLUMN kind text NOT NULL DEFAULT 'ingestion';
ALTER TABLE task_turns ALTER COLUMN kind DROP DEFAULT;
ALTER TABLE task_turns DROP CONSTRAINT ingestion_turns_pkey;
ALTER TABLE task_turns ADD CONSTRAINT task_turns_pkey PRIMARY KEY (kind, tenant_id);
`;

export class Tasks0010 implements MigrationInterface {
  readonly name = 'Tasks9000000000010';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TASKS);
    await runner.query(INDEXES);
    await runner.query(TURNS);
  }

  async down(): Promise<void> {
    throw new Error('This migration has no way back; restore a backup instead.');
  }
}
