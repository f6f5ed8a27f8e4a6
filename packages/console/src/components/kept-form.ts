import { useEffect, useState } from 'react';

/** What stands in forms that were left before they were sent, by the names of the forms. Gone with the window. */
const kept = new Map<string, unknown>();

interface KeptForm<Draft> {
  readonly draft: Draft;
  readonly change: (draft: Draft) => void;
  /** Ends it: what stood in it was sent. */
  readonly forget: () => void;
}

/**
 * State of a form that is there again when its page is left and opened anew. The browser asks before the window is closed or loaded anew
 * with something in it that was not sent.
 *
 * @param name of the form and of the state of the object that it changes: a form of another state begins anew
 */
export function useKeptForm<Draft>(name: string, initial: () => Draft): KeptForm<Draft> {
  const [draft, setDraft] = useState(() => (kept.has(name) ? (kept.get(name) as Draft) : initial()));
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent): void => {
      if (kept.has(name)) event.preventDefault();
    };
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [name]);
  return {
    draft,
    change: (changed) => {
      kept.set(name, changed);
      setDraft(changed);
    },
    forget: () => kept.delete(name),
  };
}
