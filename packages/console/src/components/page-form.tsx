import type { UseMutationResult } from '@tanstack/react-query';
import type { ReactNode, SubmitEvent } from 'react';
import { Failure } from './failure';

interface PageFormProps {
  /** The word on the button that sends it; without one there is none, for those who may only look. */
  readonly submit: string | undefined;
  /** The word on it while it is being sent. */
  readonly busy?: string;
  /** Whether the form is as wide as what it stands in. */
  readonly isWide?: boolean;
  /** What it does. */
  readonly change: Pick<UseMutationResult<unknown, Error, void>, 'mutate' | 'isPending' | 'error'>;
  readonly children: ReactNode;
}

/** A form that is a page, or a part of one. */
export function PageForm({ submit, busy = 'Sending …', isWide = false, change, children }: PageFormProps): ReactNode {
  const send = (event: SubmitEvent): void => {
    event.preventDefault();
    if (!change.isPending) change.mutate();
  };
  return (
    <form className={isWide ? undefined : 'narrow'} onSubmit={send}>
      {children}
      <Failure error={change.error} />
      {submit !== undefined && (
        <div className="actions end">
          <button type="submit" className="primary" aria-disabled={change.isPending}>
            {change.isPending ? busy : submit}
          </button>
        </div>
      )}
    </form>
  );
}
