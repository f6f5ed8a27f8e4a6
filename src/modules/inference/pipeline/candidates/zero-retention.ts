import type { Decision } from '../request/decision.js';
import type { RoutedBody } from '../request/operation.js';

/** Whether a request demands zero data retention: it says so itself, or a guardrail does of the providers of its models. */
export function demandsZeroRetention({ body, policy, candidates }: Decision<RoutedBody>): boolean {
  if (body.provider?.zdr === true) return true;
  return candidates.some(({ model, endpoint }) =>
    policy!.refusalsOf(model, endpoint, false).includes('zero_data_retention'),
  );
}
