import type { ReactNode } from 'react';
import { CreateManagementKeyRequest } from '../../api/descriptions';
import type { Permission } from '../../api/session';
import type { Schema } from '../../api/types';
import { FieldsetNotes, requestFields, SelectField, TextArea, TextField } from '../../components/fields';

/** What of a management key can be set when it is made and later. */
export interface ManagementKeySettings {
  readonly name: string;
  /** Null for all that the owner may. */
  readonly scopes: readonly Permission[] | null;
  /** One a line; an empty text for all. */
  readonly addresses: string;
}

/** A key that nothing restricts. */
export const UNRESTRICTED: ManagementKeySettings = { name: '', scopes: null, addresses: '' };

/** The settings that a key has. */
export function settingsOf({
  name,
  scopes,
  allowed_addresses: addresses,
}: Schema<'ManagementKey'>): ManagementKeySettings {
  return { name, scopes, addresses: (addresses ?? []).join('\n') };
}

/** The settings as the interface takes them. */
export function toRequest({ name, scopes, addresses }: ManagementKeySettings): {
  name: string;
  scopes: Permission[] | null;
  allowed_addresses: string[] | null;
} {
  const ranges = addresses.split(/\s+/).filter((range) => range !== '');
  return {
    name,
    scopes: scopes === null ? null : [...scopes],
    allowed_addresses: ranges.length === 0 ? null : ranges,
  };
}

const RESTRICTIONS = [
  ['all', 'Everything that its owner may do'],
  ['some', 'Only some of it'],
] as const;

interface ManagementKeyFieldsProps {
  readonly value: ManagementKeySettings;
  readonly onChange: (value: ManagementKeySettings) => void;
  readonly offered: readonly Permission[];
  /** Whether the key can be left, or made, unrestricted. */
  readonly mayBeUnrestricted: boolean;
  readonly error: Error | null;
}

/** The fields of a management key's settings. */
export function ManagementKeyFields({
  value,
  onChange,
  offered,
  mayBeUnrestricted,
  error,
}: ManagementKeyFieldsProps): ReactNode {
  const of = requestFields(CreateManagementKeyRequest, error);
  const set = (changed: Partial<ManagementKeySettings>): void => onChange({ ...value, ...changed });
  const { scopes } = value;
  return (
    <>
      <TextField
        label="Name"
        isRequired
        maxLength={256}
        value={value.name}
        {...of('name')}
        onChange={(name) => set({ name })}
      />
      {mayBeUnrestricted && (
        <SelectField
          label="It may do"
          {...of('scopes')}
          value={scopes === null ? 'all' : 'some'}
          options={RESTRICTIONS}
          onChange={(chosen) => set({ scopes: chosen === 'all' ? null : [] })}
        />
      )}
      {scopes !== null && (
        <fieldset>
          <legend>Permissions</legend>
          <p className="hint">They can be taken away later, and never added. To write includes to read.</p>
          {!mayBeUnrestricted && <FieldsetNotes {...of('scopes')} />}
          <div className="columns">
            {offered.map((permission) => (
              <label key={permission} className="choice">
                <input
                  type="checkbox"
                  checked={scopes.includes(permission)}
                  onChange={({ target: { checked } }) =>
                    set({
                      scopes: checked ? [...scopes, permission] : scopes.filter((scope) => scope !== permission),
                    })
                  }
                />
                {permission}
              </label>
            ))}
          </div>
        </fieldset>
      )}
      <TextArea
        label="Accepted from, one address or range a line"
        {...of('allowed_addresses')}
        rows={2}
        value={value.addresses}
        onChange={(addresses) => set({ addresses })}
      />
    </>
  );
}
