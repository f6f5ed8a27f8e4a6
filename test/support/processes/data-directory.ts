import { realpathSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { clusterDirectory } from '../../../packages/embedded-postgres/cluster.js';
import { listProcesses, type LiveProcess } from '../../../packages/embedded-postgres/process-table.js';

/** A data directory for an embedded server that a test has to itself. */
export class DataDirectory {
  private constructor(readonly path: string) {}

  static async make(): Promise<DataDirectory> {
    const made = await mkdtemp(path.join(os.tmpdir(), 'gatehouse-boot-'));
    // The account that PostgreSQL runs under must be able to enter it.
    await chmod(made, 0o755);
    return new DataDirectory(realpathSync(made));
  }

  /** The PostgreSQL servers that run on it. */
  servers(): LiveProcess[] {
    const cluster = clusterDirectory(this.path);
    return listProcesses().filter(({ command }) => command.includes(cluster));
  }

  /** Removes it, and ends what still runs on it. */
  async remove(): Promise<void> {
    for (const { processId } of this.servers()) process.kill(processId, 'SIGKILL');
    // A server that is ending may still write.
    await rm(this.path, { recursive: true, force: true, maxRetries: 10 });
  }
}
