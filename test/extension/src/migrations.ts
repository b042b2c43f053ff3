import { tenantIsolation, type PluginMigration } from 'knowledge-base-service/extension';

/** The tables of this package. A released step is never changed; a new one is appended. */
export const migrations: readonly PluginMigration[] = [
  {
    name: '0001-notes',
    up: async (query) => {
      await query(`CREATE TABLE acme_notes_notes (
        id uuid PRIMARY KEY,
        tenant_id uuid NOT NULL,
        title text NOT NULL,
        body text NOT NULL,
        words integer NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now()
      )`);
      await query('CREATE UNIQUE INDEX acme_notes_notes_title ON acme_notes_notes (tenant_id, title)');
      await query(tenantIsolation('acme_notes_notes'));
    },
  },
  {
    name: '0002-counts',
    up: async (query) => {
      // Which documents are counted, those that are gone included: an event that comes late must not count them again.
      await query(`CREATE TABLE acme_notes_counted (
        document_id uuid PRIMARY KEY,
        tenant_id uuid NOT NULL,
        dataset_id uuid NOT NULL,
        seq bigint NOT NULL,
        present boolean NOT NULL
      )`);
      await query(`CREATE TABLE acme_notes_counts (
        tenant_id uuid NOT NULL,
        dataset_id uuid NOT NULL,
        documents integer NOT NULL,
        PRIMARY KEY (tenant_id, dataset_id)
      )`);
      await query(tenantIsolation('acme_notes_counted'));
      await query(tenantIsolation('acme_notes_counts'));
    },
  },
  {
    name: '0003-todos',
    up: async (query) => {
      await query(`CREATE TABLE acme_notes_todos (
        tenant_id uuid NOT NULL,
        document_id uuid NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
        generation bigint NOT NULL,
        text_start bigint NOT NULL,
        body text NOT NULL,
        PRIMARY KEY (document_id, generation, text_start)
      )`);
      await query(tenantIsolation('acme_notes_todos'));
    },
  },
];
