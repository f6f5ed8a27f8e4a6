import type { UseMutationResult } from '@tanstack/react-query';
import { type ReactNode, type SubmitEvent, useEffect, useId, useRef } from 'react';
import { Failure } from './failure';
import { Icon } from './icon';
import type { KeptForm } from './kept-form';

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

type FormDialogProps = Omit<DialogProps, 'isDismissible'> & {
  /** The word on the button that sends it. */
  readonly submit: string;
  /** What it does: the form is busy meanwhile, and shows why it failed. */
  readonly change: Pick<UseMutationResult<unknown, Error, void>, 'mutate' | 'isPending' | 'error'>;
} & (
    | {
        /** What is filled in. */
        readonly kept: Pick<KeptForm<unknown>, 'wasKept' | 'forget'>;
        readonly isDangerous?: false;
      }
    | {
        /** It asks whether something is to be done, and the button warns of it. */
        readonly isDangerous: true;
        readonly kept?: undefined;
      }
  );

/**
 * A dialog with a form: it stays open with what was filled in until the service has taken it, and has it again where the page was left
 * meanwhile, or the session has ended. Who cancels gives it up.
 */
export function FormDialog({
  submit,
  change,
  kept,
  isDangerous = false,
  children,
  ...dialog
}: FormDialogProps): ReactNode {
  const { isPending } = change;
  // A form that goes while it is being sent was taken.
  const atEnd = useRef<() => void>(undefined);
  useEffect(() => {
    atEnd.current = isPending ? kept?.forget : undefined;
  });
  useEffect(() => () => atEnd.current?.(), []);
  const close = (): void => {
    kept?.forget();
    dialog.onClose();
  };
  const send = (event: SubmitEvent): void => {
    event.preventDefault();
    if (!change.isPending) change.mutate();
  };
  return (
    <Dialog {...dialog} onClose={close}>
      <form onSubmit={send}>
        {kept?.wasKept === true && <p className="quiet">What you had filled in before is here again.</p>}
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
