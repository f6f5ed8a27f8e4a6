import { Injectable } from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import { DataSource } from 'typeorm';

/** How long the database may take to answer, in milliseconds. */
const DATABASE_PATIENCE_MS = 1_500;

/** Whether this process should be sent requests. */
@Injectable()
export class Readiness {
  private stopping = false;

  constructor(private readonly dataSource: DataSource) {}

  /** From now on the process is not ready: it finishes what it has and takes no more. */
  stop(): void {
    this.stopping = true;
  }

  /** The state of each thing that the service needs. */
  async check(): Promise<{ ready: boolean; checks: { service: string; database: string } }> {
    const database = await this.databaseAnswers();
    return {
      ready: database && !this.stopping,
      checks: { service: this.stopping ? 'stopping' : 'running', database: database ? 'up' : 'down' },
    };
  }

  private async databaseAnswers(): Promise<boolean> {
    const answer = this.dataSource.query('SELECT 1').then(
      () => true,
      () => false,
    );
    return Promise.race([answer, delay(DATABASE_PATIENCE_MS, false, { ref: false })]);
  }
}
