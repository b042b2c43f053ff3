export { BREAK_REASONS, type BreakReason, type ChainAnchor, type ChainBreak, type ChainHead } from './audit-chain.js';
export { AuditLog, type AppendedEntry, type AuditEntry, type ChainFindings } from './audit-log.js';
export { AuditLogEntity } from './audit-log.entity.js';
export { Database, openDatabase, type OpenDatabaseOptions } from './database.js';
export { DatabaseAccessError, databaseErrors, DatabaseSetupError } from './database.errors.js';
export { DatabaseModule } from './database.module.js';
export { BackupSession, type DatabaseSnapshot, type SnapshotOptions } from './backup/database-snapshot.js';
export {
  DatabaseRestore,
  inspectDatabase,
  type DatabaseFacts,
  type RestoreTarget,
  type RowsOfTenant,
} from './backup/database-restore.js';
export { BackupUnderWay, FileRemovals } from './backup/file-removals.js';
export { inOrderOfReferences, type SequenceState, type TableShape } from './backup/table-catalogue.js';
export { listMigrations, migrate, type MigrateOptions } from './migrate.js';
export { tablePrefixOf, type MigrationQuery, type PluginMigration, type PluginSchema } from './plugin-schemas.js';
export { quoted, type DatabaseRoles } from './roles.js';
export { rowsOf, systemRowsOf, TenantRepository } from './tenant-repository.js';
export { Any, IsNull, LessThan, Not, type Repository } from 'typeorm';
export {
  allColumnsOf,
  columnsOf,
  declaredStatements,
  result,
  statement,
  statementFamily,
  type ResultColumn,
  type RowOf,
  type Statement,
  type StatementFamily,
} from './statement.js';
export { NATURAL_ORDER } from './natural-order.js';
export { SQL_NOW } from './sql-now.js';
export { tenantIsolation } from './tenant-isolation.js';
export { StorePlacements, type StorePlacementRow } from './store-placements.js';
export { UploadRecords, type UploadRecord } from './upload-records.js';
export { UnitOfWork, type TransactionContext, type TransactionOptions } from './unit-of-work.js';
export {
  connectToRunningEmbeddedPostgres,
  startEmbeddedPostgres,
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
} from './embedded/embedded-postgres.js';
export { findHome as findEmbeddedHome } from './embedded/data-location.js';
export { EmbeddedPostgresError } from './embedded/embedded-postgres.errors.js';
