import type { UseMutationResult } from '@tanstack/react-query';
import { type ReactNode, type SubmitEvent, useEffect, useId, useRef } from 'react';
import { Failure } from './failure';
import { Icon } from './icon';
import { useKeptFields } from './kept-fields';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** Whether Escape and the cross close it; not while something is shown that is never shown again. */
  readonly isDismissible?: boolean;
}

/** A dialog above the page, which the rest of the page waits for. The browser keeps the focus in it, and gives it back at its end. */
export function Dialog({ title, onClose, children, isDismissible = true }: DialogProps): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const element = dialog.current!;
    const before = document.activeElement;
    element.showModal();
    return () => {
      element.close();
      // The browser does so too, but not for a dialog that has left the page.
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        if (isDismissible) onClose();
      }}
    >
      <header className="dialog-header">
        <h2 id={id}>{title}</h2>
        {isDismissible && (
          <button type="button" className="plain" aria-label="Close" onClick={onClose}>
            <Icon name="close" />
          </button>
        )}
      </header>
      {children}
    </dialog>
  );
}

interface FormDialogProps extends Omit<DialogProps, 'isDismissible'> {
  /** The word on the button that sends it. */
  readonly submit: string;
  /** What it does: the form is busy meanwhile, and shows why it failed. */
  readonly change: Pick<UseMutationResult<unknown, Error, void>, 'mutate' | 'isPending' | 'error'>;
  /** Whether the button warns of what it does. */
  readonly isDangerous?: boolean;
}

/**
 * A dialog with a form: it stays open with what was filled in until the service has taken it, and has it again where the page was left
 * meanwhile, or the session has ended. Who cancels gives it up.
 */
export function FormDialog({ submit, change, isDangerous = false, children, ...dialog }: FormDialogProps): ReactNode {
  const form = useRef<HTMLFormElement>(null);
  const kept = useKeptFields(form, dialog.title, change.isPending);
  const close = (): void => {
    kept.forget();
    dialog.onClose();
  };
  const send = (event: SubmitEvent): void => {
    event.preventDefault();
    if (!change.isPending) change.mutate();
  };
  return (
    <Dialog {...dialog} onClose={close}>
      <form ref={form} onSubmit={send} onInput={kept.noted}>
        {kept.wasFilled && <p className="quiet">What you had filled in before is here again.</p>}
        {children}
        <Failure error={change.error} />
        <div className="actions end">
          <button type="button" onClick={close}>
            Cancel
          </button>
          <button type="submit" className={isDangerous ? 'danger' : 'primary'} aria-disabled={change.isPending}>
            {change.isPending ? 'Sending …' : submit}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
