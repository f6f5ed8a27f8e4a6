import { DomainError } from '../../http/errors/domain-error.js';

/** A refusal by rules of guardrails: its record names them, and its caller is not told. */
export interface RefusalByRules {
  /** The guardrails that have such rules; none where that is not known, or where the lack of a rule refuses. */
  readonly guardrailIds: readonly string[];
}

/** The guardrails whose rules an error refuses a request by; none for any other error (docs/interface/generations.md#fields). */
export function refusingGuardrailsOf(error: unknown): readonly string[] {
  const isByRules = error instanceof DomainError && 'guardrailIds' in error;
  return isByRules ? (error as DomainError & RefusalByRules).guardrailIds : [];
}
