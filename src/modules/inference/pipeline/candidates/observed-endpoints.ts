import type { CatalogEndpoint } from '../../../catalog/catalog-endpoint.js';
import type { CatalogModel } from '../../../catalog/catalog-model.js';
import type { ObservedGuardrail } from '../../../generations/generation-details.js';
import type { PolicyRefusal } from '../../../guardrails/effective-policy/permitted-models.js';
import { observation } from '../request/decision.js';
import type { CompiledObserver } from '../policy/compiled-policies.js';

/** Tells which endpoints of a request the guardrails that only observe would have taken out, and whether any would have been left. */
export class ObservedEndpoints {
  private readonly taken = new Map<CompiledObserver, PolicyRefusal>();
  private isAnyLeft = false;

  constructor(private readonly observers: readonly CompiledObserver[]) {}

  /** Adds an endpoint that may answer the request. @param isZdr whether data are not retained with the credential that would be used */
  add(model: CatalogModel, endpoint: CatalogEndpoint, isZdr: boolean): void {
    let isLeft = true;
    for (const observer of this.observers) {
      const [refusal] = observer.refusalsOf(model, endpoint, isZdr);
      if (refusal === undefined) continue;
      isLeft = false;
      if (!this.taken.has(observer)) this.taken.set(observer, refusal);
    }
    this.isAnyLeft ||= isLeft;
  }

  /** Each guardrail that would have taken endpoints out, with the first rule of it that does. */
  get list(): ObservedGuardrail[] {
    const outcome = this.isAnyLeft ? 'excluded' : 'refused';
    return [...this.taken].map(([observer, reason]) => observation(observer, outcome, reason));
  }
}
