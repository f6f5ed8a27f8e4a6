import type { ReactNode } from 'react';
import { CreateSignInConnectionRequest } from '../../api/descriptions';
import type { Schema } from '../../api/types';
import { CheckField, requestFields, TextArea, TextField } from '../../components/fields';

type Connection = Schema<'SignInConnection'>;

/** What of an identity provider can be set when it is added and later. */
export interface ConnectionSettings {
  readonly name: string;
  /** Words. */
  readonly scopes: string;
  readonly externalIdClaim: string;
  readonly createsMembers: boolean;
  readonly roleClaim: string;
  /** One a line. */
  readonly adminValues: string;
  readonly groupClaim: string;
  readonly stepUpWithoutAuthTime: boolean;
}

/** What a new one has at first. */
export const USUAL: ConnectionSettings = {
  name: '',
  scopes: 'openid email profile',
  externalIdClaim: '',
  createsMembers: false,
  roleClaim: '',
  adminValues: '',
  groupClaim: '',
  stepUpWithoutAuthTime: false,
};

/** The settings that an identity provider has. */
export function settingsOf(connection: Connection): ConnectionSettings {
  return {
    name: connection.name,
    scopes: connection.scopes.join(' '),
    externalIdClaim: connection.external_id_claim ?? '',
    createsMembers: connection.creates_members,
    roleClaim: connection.role_claim ?? '',
    adminValues: (connection.admin_values ?? []).join('\n'),
    groupClaim: connection.group_claim ?? '',
    stepUpWithoutAuthTime: connection.step_up_without_auth_time,
  };
}

/** The settings as the interface takes them. A secret that was not filled in, an empty text, is left out. */
export function toRequest(
  settings: ConnectionSettings,
  secret: string,
): Schema<'UpdateSignInConnectionRequest'> & { name: string; client_secret?: string } {
  const { roleClaim } = settings;
  return {
    name: settings.name,
    ...(secret !== '' && { client_secret: secret }),
    scopes: settings.scopes.split(/\s+/).filter((scope) => scope !== ''),
    external_id_claim: settings.externalIdClaim || null,
    creates_members: settings.createsMembers,
    role_claim: roleClaim || null,
    group_claim: settings.groupClaim || null,
    step_up_without_auth_time: settings.stepUpWithoutAuthTime,
    admin_values: roleClaim === '' ? null : settings.adminValues.split('\n').filter((value) => value !== ''),
  };
}

interface ConnectionFieldsProps {
  readonly value: ConnectionSettings;
  readonly onChange: (value: ConnectionSettings) => void;
  readonly secret: string;
  readonly onSecret: (secret: string) => void;
  readonly secretHint: string;
  readonly error: Error | null;
  readonly children?: ReactNode;
}

/** The fields of an identity provider's settings. */
export function ConnectionFields({
  value,
  onChange,
  secret,
  onSecret,
  secretHint,
  error,
  children,
}: ConnectionFieldsProps): ReactNode {
  const of = requestFields(CreateSignInConnectionRequest, error);
  const set = (changed: Partial<ConnectionSettings>): void => onChange({ ...value, ...changed });
  return (
    <>
      <TextField
        label="Name"
        {...of('name')}
        isRequired
        maxLength={100}
        value={value.name}
        onChange={(name) => set({ name })}
      />
      {children}
      <TextField
        label="Client secret"
        type="password"
        {...of('client_secret')}
        hint={secretHint}
        maxLength={2_000}
        value={secret}
        onChange={onSecret}
      />
      <TextField
        label="Scopes"
        isRequired
        value={value.scopes}
        {...of('scopes')}
        onChange={(scopes) => set({ scopes })}
      />
      <CheckField
        label="Who signs in for the first time becomes a member"
        {...of('creates_members')}
        value={value.createsMembers}
        onChange={(createsMembers) => set({ createsMembers })}
      />
      <TextField
        label="Claim with the directory’s id of a person"
        {...of('external_id_claim')}
        value={value.externalIdClaim}
        onChange={(externalIdClaim) => set({ externalIdClaim })}
      />
      <TextField
        label="Claim that decides about roles"
        {...of('role_claim')}
        value={value.roleClaim}
        onChange={(roleClaim) => set({ roleClaim })}
      />
      {value.roleClaim !== '' && (
        <TextArea
          label="Its values that make an administrator, one a line"
          {...of('admin_values')}
          rows={2}
          value={value.adminValues}
          onChange={(adminValues) => set({ adminValues })}
        />
      )}
      <TextField
        label="Claim with the groups of a person"
        {...of('group_claim')}
        value={value.groupClaim}
        onChange={(groupClaim) => set({ groupClaim })}
      />
      <CheckField
        label="A new sign-in counts without auth_time"
        {...of('step_up_without_auth_time')}
        value={value.stepUpWithoutAuthTime}
        onChange={(stepUpWithoutAuthTime) => set({ stepUpWithoutAuthTime })}
      />
    </>
  );
}
