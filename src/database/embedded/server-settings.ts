/** For a small installation that keeps its data: nothing that a client was told is stored may get lost. */
const DEFAULTS: Readonly<Record<string, string>> = {
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  max_connections: '200',
  shared_buffers: '128MB',
  log_min_messages: 'warning',
  log_checkpoints: 'off',
  log_line_prefix: '',
  // The application logs the errors it gets. Statements and details may hold what must not be in a log.
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
};

/** What the supervisor relies on. */
const FIXED: Readonly<Record<string, string>> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  logging_collector: 'off',
  log_destination: 'stderr',
  lc_messages: 'C',
};

/**
 * Gives the arguments that start PostgreSQL with our settings.
 *
 * @param port to listen at, on 127.0.0.1
 * @param clusterName what PostgreSQL is to show in the titles of its processes
 * @param settings replace our defaults or add to them, but not to what the supervisor relies on
 */
export function settingArguments(
  port: number,
  clusterName: string,
  settings: Readonly<Record<string, string>>,
): string[] {
  const all = { ...DEFAULTS, ...settings, ...FIXED, port: String(port), cluster_name: clusterName };
  return Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}
