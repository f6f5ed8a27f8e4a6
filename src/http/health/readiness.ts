import { Injectable } from '@nestjs/common';
import { Statements } from '../../database/statements.js';

/** Asks the database for as little as can be asked. */
const PING = { name: 'ping', text: 'SELECT 1' };

/** Finds out whether something is wrong with what a module needs. @returns what it is; undefined for nothing */
type Requirement = () => Promise<string | undefined>;

/** Whether this process should be sent requests. */
@Injectable()
export class Readiness {
  private stopping = false;
  private readonly requirements = new Map<string, Requirement>();

  constructor(private readonly statements: Statements) {}

  /** From now on the process is not ready: it finishes what it has and takes no more. */
  stop(): void {
    this.stopping = true;
  }

  /** Has something that a module needs looked at as well. It stands among the checks while it is missing. */
  require(name: string, requirement: Requirement): void {
    this.requirements.set(name, requirement);
  }

  /** The state of each thing that the service needs. */
  async check(): Promise<{ ready: boolean; checks: Readonly<Record<string, string>> }> {
    const database = await this.databaseAnswers();
    // What modules need is in the database.
    const missing = database ? await this.missing() : {};
    return {
      ready: database && !this.stopping && Object.keys(missing).length === 0,
      checks: { service: this.stopping ? 'stopping' : 'running', database: database ? 'up' : 'down', ...missing },
    };
  }

  private async missing(): Promise<Readonly<Record<string, string>>> {
    const missing: Record<string, string> = {};
    for (const [name, requirement] of this.requirements) {
      const fault = await requirement().catch(() => 'unknown');
      if (fault !== undefined) missing[name] = fault;
    }
    return missing;
  }

  private databaseAnswers(): Promise<boolean> {
    return this.statements.rows(PING, []).then(
      () => true,
      () => false,
    );
  }
}
