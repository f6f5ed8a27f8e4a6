import { createHash } from 'node:crypto';

/**
 * Takes PostgreSQL's own data directory and gives a name for the server of it, which PostgreSQL shows in the titles of its
 * processes: by that they are recognised after the postmaster that started them is gone.
 */
export function clusterName(clusterDirectory: string): string {
  return `gatehouse-${createHash('sha256').update(clusterDirectory).digest('hex').slice(0, 12)}`;
}
