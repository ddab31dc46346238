import { port, type PostgresContext } from './postgres-folder.ts'
import type { PostgresOptions } from './postgres-options.ts'

/** Returns the settings of the postmaster. */
export function settings(options: PostgresOptions, socketFolder: string): Record<string, string> {
  const throwAway = options.durability === 'none'
  return {
    listen_addresses: '',
    port: String(port),
    unix_socket_directories: quotedName(socketFolder),
    unix_socket_permissions: '0700',
    max_connections: String(options.maxConnections ?? 100),
    fsync: throwAway ? 'off' : 'on',
    full_page_writes: throwAway ? 'off' : 'on',
    synchronous_commit: throwAway ? 'off' : 'on',
    wal_level: 'replica',
    // Small, because the operating system caches the same pages, and an idle server should use little memory.
    shared_buffers: '48MB',
    maintenance_work_mem: '32MB',
    max_wal_size: '512MB',
    io_method: 'sync',
    max_logical_replication_workers: '0',
    timezone: 'UTC',
    log_timezone: 'UTC',
    lc_messages: 'C',
    log_checkpoints: 'off',
    log_min_messages: 'warning',
    log_line_prefix: '%m [%p] ',
    // Statements can contain megabytes of user text. The server logs its own errors.
    log_min_error_statement: 'panic',
    log_parameter_max_length: '0',
    log_parameter_max_length_on_error: '0',
  }
}

/** Quotes a setting that is a list of names, because a comma or space in a path would end the name. */
function quotedName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** Returns the folder, environment and user in which the PostgreSQL programs run. */
export function spawnOptions({ binaries, runAs, folder }: PostgresContext) {
  return {
    cwd: folder,
    env: { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC', ...binaries.env },
    ...(runAs.uid === undefined ? {} : { uid: runAs.uid, gid: runAs.gid }),
  }
}
