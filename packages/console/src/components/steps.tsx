import type { ReactNode } from 'react';
import type { Tone } from './values';

/** One thing that happened. */
export interface Step {
  readonly title: string;
  readonly tone: Tone;
  readonly body: ReactNode;
}

/** What the mark of a step says to those who do not see it. */
const SAID: Readonly<Record<Tone, string>> = { neutral: '', good: 'passed', warning: 'with notes', bad: 'ended here' };

/** What happened one after the other, as a list with a mark for each outcome. */
export function Steps({ steps }: { readonly steps: readonly Step[] }): ReactNode {
  return (
    <ol className="steps">
      {steps.map(({ title, tone, body }) => (
        <li key={title} className={tone}>
          <h3>
            {title} <span className="hidden">{SAID[tone]}</span>
          </h3>
          {body}
        </li>
      ))}
    </ol>
  );
}
