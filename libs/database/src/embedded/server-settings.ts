/** What the embedded server is started with; command-line settings win over the files of the cluster and need no upkeep. */
export interface ServerSettings {
  readonly port: number;
  readonly maxConnections: number;
  /** What the volume of the cluster holds. */
  readonly volumeBytes: number;
}

const MIB = 1024 * 1024;
/** The log before a checkpoint: on a large volume, of a small one an eighth, and at least two of its files. */
const LOG_MIB = { most: 128, least: 32, share: 1 / 8 } as const;

function logMebibytes(volumeBytes: number): number {
  return Math.round(Math.min(LOG_MIB.most, Math.max(LOG_MIB.least, (volumeBytes / MIB) * LOG_MIB.share)));
}

/**
 * Settings for a small server beside its only client. `fsync` and `synchronous_commit` stay on: acknowledged is durable.
 * No statement text and no key values reach the log (`log_min_error_statement`, `log_error_verbosity`).
 */
export function serverSettings({ port, maxConnections, volumeBytes }: ServerSettings): Record<string, string | number> {
  return {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    max_connections: maxConnections,
    password_encryption: 'scram-sha-256',
    timezone: 'UTC',
    // Memory for a machine that also runs the API, the worker and a vector store.
    shared_buffers: '96MB',
    work_mem: '8MB',
    maintenance_work_mem: '64MB',
    effective_cache_size: '512MB',
    huge_pages: 'off',
    jit: 'off',
    // Few processes: no io workers, no parallel workers (which also need room in /dev/shm), no replication.
    io_method: 'sync',
    max_worker_processes: 2,
    max_parallel_workers: 0,
    max_parallel_workers_per_gather: 0,
    max_parallel_maintenance_workers: 0,
    max_logical_replication_workers: 0,
    max_replication_slots: 0,
    max_wal_senders: 0,
    wal_level: 'minimal',
    fsync: 'on',
    synchronous_commit: 'on',
    min_wal_size: `${LOG_MIB.least}MB`,
    max_wal_size: `${logMebibytes(volumeBytes)}MB`,
    checkpoint_timeout: '10min',
    random_page_cost: 1.1,
    // A query of a service that died must not run on.
    client_connection_check_interval: '10s',
    log_destination: 'stderr',
    logging_collector: 'off',
    log_checkpoints: 'off',
    log_line_prefix: '%m [%p] ',
    log_timezone: 'UTC',
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
  };
}

/** The arguments of the `postgres` program. */
export function serverArguments(cluster: string, settings: ServerSettings): string[] {
  const flags = Object.entries(serverSettings(settings)).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return ['-D', cluster, ...flags];
}
