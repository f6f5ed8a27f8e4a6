import type { ReactNode } from 'react';
import { RotateRequest } from '../../api/descriptions';
import { useChange } from '../../api/use-change';
import { FormDialog } from '../../components/dialog';
import { requestFields, SelectField } from '../../components/fields';
import { useKeptForm } from '../../components/kept-form';

/** Seconds, and how they are said. */
const GRACES = [
  ['0', 'At once'],
  ['3600', 'After an hour'],
  ['86400', 'After a day'],
  ['604800', 'After a week'],
] as const;

/** The one that is chosen at first. */
const USUAL_GRACE = '86400';

interface RotateKeyProps<Issued> {
  /** The name of the key. */
  readonly name: string;
  /** What a rotation leaves as it is. */
  readonly stays: string;
  /** Asks for the new secret. @param graceSeconds how long the old one is still accepted */
  readonly rotate: (graceSeconds: number) => Promise<Issued>;
  /** The first parts of the query keys that are asked anew. */
  readonly invalidates: readonly string[];
  readonly onClose: () => void;
  readonly onRotated: (issued: Issued) => void;
}

/** Gives a key a new secret, and asks how long the old one is still accepted. */
export function RotateKey<Issued>({ name, stays, onClose, ...props }: RotateKeyProps<Issued>): ReactNode {
  const kept = useKeptForm<string>(`rotation at ${location.pathname}`, () => USUAL_GRACE);
  const rotate = useChange({
    run: () => props.rotate(Number(kept.draft)),
    invalidates: props.invalidates,
    says: 'The key has a new secret.',
    then: props.onRotated,
  });
  return (
    <FormDialog title={`Rotate ${name}`} submit="Make a new secret" change={rotate} kept={kept} onClose={onClose}>
      <p>The key gets a new secret. Its {stays} stay.</p>
      <SelectField
        label="The old secret ends"
        {...requestFields(RotateRequest, rotate.error)('grace_seconds')}
        value={kept.draft}
        options={GRACES}
        onChange={kept.change}
      />
    </FormDialog>
  );
}
