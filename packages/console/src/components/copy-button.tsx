import { type ReactNode, useState } from 'react';

interface CopyButtonProps {
  readonly text: string;
  readonly label: string;
  /** Selects the text where the browser has no clipboard for the page: without https there is none. */
  readonly select?: () => void;
}

/** Copies a text, and says that it has. */
export function CopyButton({ text, label, select }: CopyButtonProps): ReactNode {
  const [said, setSaid] = useState('');
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      setSaid('Copied.');
    } catch {
      select?.();
      setSaid(
        select === undefined ? 'Select it, and copy it with your keyboard.' : 'Selected: copy it with your keyboard.',
      );
    }
  };
  return (
    <>
      <button type="button" onClick={() => void copy()}>
        {label}
      </button>
      <span role="status" className="quiet">
        {said}
      </span>
    </>
  );
}
