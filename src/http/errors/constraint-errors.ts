import { Injectable } from '@nestjs/common';
import type { DomainError } from './domain-error.js';

/** What violated constraints mean to the caller, by the names of the constraints. */
export type ErrorsByConstraint = Readonly<Record<string, () => DomainError>>;

/**
 * What violated constraints mean to the caller; each module adds those of its tables. Services check first, for a good
 * message; a constraint decides when two requests pass that check at the same time.
 */
@Injectable()
export class ConstraintErrors {
  private readonly errors = new Map<string, () => DomainError>();

  /** @throws Error when a constraint has an error already */
  add(errors: ErrorsByConstraint): void {
    for (const [constraint, error] of Object.entries(errors)) {
      if (this.errors.has(constraint)) throw new Error(`two modules say what ${constraint} means`);
      this.errors.set(constraint, error);
    }
  }

  get constraints(): string[] {
    return [...this.errors.keys()];
  }

  /**
   * The error that a violated constraint stands for.
   *
   * @param thrown what a database call threw
   * @returns undefined when it is no violation of a constraint, or of one that no request should be able to violate
   */
  errorOf(thrown: unknown): DomainError | undefined {
    return thrown instanceof Error
      ? namesIn(thrown)
          .map((name) => this.errors.get(name))
          .find(Boolean)?.()
      : undefined;
  }
}

/** SQLSTATEs of class 23: a constraint was violated. */
const VIOLATION = /^23...$/;

/** What an engine that distributes tables puts behind a name on its nodes: the number of the part of the table. */
const SHARD_NUMBER = /_\d{6,}$/;

/**
 * The names that a violated constraint may have. A node of an engine that distributes tables gives the name in the text of its message
 * alone, and with the number of the shard (docs/scaling.md).
 */
function namesIn(thrown: Error): string[] {
  if ('constraint' in thrown && typeof thrown.constraint === 'string') return withoutShard([thrown.constraint]);
  const isViolation = 'code' in thrown && VIOLATION.test(String(thrown.code));
  return isViolation ? withoutShard(thrown.message.match(/\w+/g) ?? []) : [];
}

function withoutShard(names: readonly string[]): string[] {
  return names.map((name) => name.replace(SHARD_NUMBER, ''));
}
