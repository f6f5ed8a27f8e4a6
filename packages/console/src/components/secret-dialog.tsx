import { type ReactNode, useRef, useState } from 'react';
import { Dialog } from './dialog';

interface SecretDialogProps {
  readonly title: string;
  readonly secret: string;
  readonly onClose: () => void;
  readonly children?: ReactNode;
}

/** Shows a secret the only time that it can be shown. It closes by its button alone, not by a key pressed too often. */
export function SecretDialog({ title, secret, onClose, children }: SecretDialogProps): ReactNode {
  const [said, setSaid] = useState('');
  const text = useRef<HTMLElement>(null);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(secret);
      setSaid('Copied.');
    } catch {
      // Without https there is no clipboard for pages.
      getSelection()?.selectAllChildren(text.current!);
      setSaid('Selected: copy it with your keyboard.');
    }
  };
  return (
    <Dialog title={title} onClose={onClose} isDismissible={false}>
      <p>Keep it now: it is not shown again.</p>
      <p className="secret">
        <code ref={text}>{secret}</code>
      </p>
      {children}
      <p role="status">{said}</p>
      <div className="actions end">
        <button type="button" onClick={() => void copy()}>
          Copy
        </button>
        <button type="button" className="primary" onClick={onClose}>
          I have kept it
        </button>
      </div>
    </Dialog>
  );
}
