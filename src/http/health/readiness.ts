import { Injectable } from '@nestjs/common';
import { Statements } from '../../database/statements.js';
import { SharedAnswer } from './shared-answer.js';

/** Asks the database for as little as can be asked. */
const PING = { name: 'ping', text: 'SELECT 1' };

/** How long what the database answered holds, in milliseconds: a flood of checks must not take its connections. */
const ANSWER_LIFETIME_MS = 1_000;

/** Whether this process should be sent requests. */
@Injectable()
export class Readiness {
  private stopping = false;
  private readonly database = new SharedAnswer(() => this.databaseAnswers(), ANSWER_LIFETIME_MS);

  constructor(private readonly statements: Statements) {}

  /** From now on the process is not ready: it finishes what it has and takes no more. */
  stop(): void {
    this.stopping = true;
  }

  /** The state of each thing that the service needs. */
  async check(): Promise<{ ready: boolean; checks: { service: string; database: string } }> {
    const database = await this.database.get();
    return {
      ready: database && !this.stopping,
      checks: { service: this.stopping ? 'stopping' : 'running', database: database ? 'up' : 'down' },
    };
  }

  private databaseAnswers(): Promise<boolean> {
    return this.statements.rows(PING, []).then(
      () => true,
      () => false,
    );
  }
}
