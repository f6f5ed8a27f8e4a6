import { useEffect, useState } from 'react';
import { forgetDraft, hasDraft, keepDraft, readDraft } from '../api/kept-drafts';

export interface KeptForm<Draft> {
  readonly draft: Draft;
  readonly change: (draft: Draft | ((before: Draft) => Draft)) => void;
  /** Whether something was there from before. */
  readonly wasKept: boolean;
  /** Ends it: what stood in it was sent, or given up. */
  readonly forget: () => void;
}

/** Changes some fields of what stands in a form, and leaves the others. */
export function setterOf<Draft extends object>({
  draft,
  change,
}: Pick<KeptForm<Draft>, 'draft' | 'change'>): (changed: Partial<Draft>) => void {
  return (changed) => change({ ...draft, ...changed });
}

/**
 * State of a form that is there again when its page is left and opened anew, and when the person had to sign in again: no secret may stand
 * in it. The browser asks before the window is closed or loaded anew with something in it that was not sent.
 *
 * @param name of the form and of the state of the object that it changes: a form of another state begins anew
 * @param isUnsent whether what stands in it is lost work where the window is closed
 */
export function useKeptForm<Draft>(name: string, initial: () => Draft, isUnsent = true): KeptForm<Draft> {
  const [first] = useState(initial);
  const [draft, setDraft] = useState(() => readDraft(name, first));
  const [wasKept] = useState(() => hasDraft(name));
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent): void => {
      if (isUnsent && hasDraft(name)) event.preventDefault();
    };
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [name, isUnsent]);
  return {
    draft,
    change: (changed) => {
      // Also where the page was left meanwhile.
      const next =
        typeof changed === 'function' ? (changed as (before: Draft) => Draft)(readDraft(name, first)) : changed;
      keepDraft(name, next);
      setDraft(next);
    },
    wasKept,
    forget: () => forgetDraft(name),
  };
}
