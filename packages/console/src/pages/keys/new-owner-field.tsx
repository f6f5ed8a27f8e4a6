import type { ReactNode } from 'react';
import { TransferKeyRequest } from '../../api/descriptions';
import { nameOfMember, useMembers } from '../../api/names';
import { requestFields, SelectField } from '../../components/fields';

interface NewOwnerFieldProps {
  /** Who cannot be chosen. */
  readonly formerOwner: string | null;
  /** An empty text before one is chosen. */
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly error: Error | null;
}

/** The member who gets keys, and what follows from that. */
export function NewOwnerField({ formerOwner, value, onChange, error }: NewOwnerFieldProps): ReactNode {
  const members = useMembers().filter(({ id }) => id !== formerOwner);
  const of = requestFields(TransferKeyRequest, error);
  return (
    <>
      <SelectField
        label="New owner"
        isRequired
        value={value}
        options={[['', 'Choose a member'], ...members.map((member) => [member.id, nameOfMember(member)] as const)]}
        {...of('user_id')}
        onChange={onChange}
      />
      <p>
        The secret, the limits, the workspace and what was spent stay. The guardrails of the new owner apply from the
        next request on, and a suspension because the former owner is deactivated ends.
      </p>
    </>
  );
}
