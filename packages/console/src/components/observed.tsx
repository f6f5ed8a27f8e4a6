import { Link } from 'wouter';
import type { Schema } from '../api/types';
import type { Step } from './steps';

/** What a rule would have done. */
const WOULD = {
  refused: 'would have refused it',
  excluded: 'would have left endpoints out',
  redacted: 'would have redacted it',
} as const;

/** What guardrails and limits that only observe would have done with a request. */
export function observedStep(observed: readonly Schema<'GenerationObservation'>[]): Step {
  return {
    title: 'Only observed',
    tone: 'warning',
    body: (
      <ul>
        {observed.map(({ kind, id, name, outcome, reason, values }, index) => (
          // A guardrail may have several things to say, and a limit one for each combination.
          <li key={index}>
            The {kind} <Link href={`/${kind}s/${id}`}>{name}</Link> {WOULD[outcome]} (<code>{reason}</code>)
            {forValues(values)}
          </li>
        ))}
      </ul>
    ),
  };
}

/** What a limit has counted a request by, behind its name; an empty text where it counts all requests together. */
export function forValues(values: Readonly<Record<string, unknown>> | undefined): string {
  const named = Object.entries(values ?? {}).map(
    ([key, value]) => `${key} ${typeof value === 'string' ? value : 'none'}`,
  );
  return named.length === 0 ? '' : ` for ${named.join(', ')}`;
}
