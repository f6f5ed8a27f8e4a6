import { createHash } from 'node:crypto';

/** Defaults for a small installation with durable data: committed transactions must not be lost. */
const DEFAULTS: Readonly<Record<string, string>> = {
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  max_connections: '200',
  shared_buffers: '128MB',
  log_min_messages: 'warning',
  log_checkpoints: 'off',
  log_line_prefix: '',
  // The application logs errors itself. Statements and details may contain secrets.
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
};

/** Settings that the supervisor depends on. */
const FIXED: Readonly<Record<string, string>> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  logging_collector: 'off',
  log_destination: 'stderr',
  lc_messages: 'C',
};

/**
 * Builds the arguments of PostgreSQL.
 *
 * @param port the port to listen on, at 127.0.0.1
 * @param clusterName shown by PostgreSQL in the titles of its processes
 * @param settings override the defaults or add to them, except settings that the supervisor depends on
 */
export function settingArguments(
  port: number,
  clusterName: string,
  settings: Readonly<Record<string, string>>,
): string[] {
  const all = { ...DEFAULTS, ...settings, ...FIXED, port: String(port), cluster_name: clusterName };
  return Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

/**
 * The name of the server of a data directory. PostgreSQL shows it in the titles of its processes, by which they are
 * recognized after their postmaster has ended.
 */
export function clusterName(clusterDirectory: string): string {
  return `gatehouse-${createHash('sha256').update(clusterDirectory).digest('hex').slice(0, 12)}`;
}
