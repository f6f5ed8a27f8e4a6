import { type ReactNode, useRef } from 'react';
import { CopyButton } from './copy-button';
import { Dialog } from './dialog';

interface SecretDialogProps {
  readonly title: string;
  readonly secret: string;
  readonly onClose: () => void;
  readonly children?: ReactNode;
}

/** Shows a secret the only time that it can be shown. It closes by its button alone, not by a key pressed too often. */
export function SecretDialog({ title, secret, onClose, children }: SecretDialogProps): ReactNode {
  const text = useRef<HTMLElement>(null);
  return (
    <Dialog title={title} onClose={onClose} isDismissible={false}>
      <p>Keep it now: it is not shown again.</p>
      <p className="secret">
        <code ref={text}>{secret}</code>
      </p>
      <p className="actions">
        <CopyButton text={secret} label="Copy" select={() => getSelection()?.selectAllChildren(text.current!)} />
      </p>
      {children}
      <div className="actions end">
        <button type="button" className="primary" onClick={onClose}>
          I have kept it
        </button>
      </div>
    </Dialog>
  );
}
