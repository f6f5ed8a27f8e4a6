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

  /** The constraints that have an error. */
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
    if (!(thrown instanceof Error) || !('constraint' in thrown) || typeof thrown.constraint !== 'string')
      return undefined;
    return this.errors.get(thrown.constraint)?.();
  }
}
