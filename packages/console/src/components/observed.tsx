import { Link } from 'wouter';
import type { Schema } from '../api/types';
import { ForValues } from './limit-values';
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
            <ForValues values={values} />
          </li>
        ))}
      </ul>
    ),
  };
}
