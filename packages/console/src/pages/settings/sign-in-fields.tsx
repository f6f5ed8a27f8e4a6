import type { ReactNode } from 'react';
import { ApiError } from '../../api/client';
import type { Schema } from '../../api/types';
import { CheckField, TextArea, TextField } from '../../components/fields';

type Connection = Schema<'SignInConnection'>;

/** What of an identity provider can be set when it is added and later. */
export interface ConnectionSettings {
  readonly name: string;
  /** An empty text where none is sent. */
  readonly secret: string;
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
  secret: '',
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
    secret: '',
    scopes: connection.scopes.join(' '),
    externalIdClaim: connection.external_id_claim ?? '',
    createsMembers: connection.creates_members,
    roleClaim: connection.role_claim ?? '',
    adminValues: (connection.admin_values ?? []).join('\n'),
    groupClaim: connection.group_claim ?? '',
    stepUpWithoutAuthTime: connection.step_up_without_auth_time,
  };
}

/** The settings as the interface takes them. A secret that was not filled in is left out. */
export function toRequest(
  settings: ConnectionSettings,
): Schema<'UpdateSignInConnectionRequest'> & { name: string; client_secret?: string } {
  const { roleClaim } = settings;
  return {
    name: settings.name,
    ...(settings.secret !== '' && { client_secret: settings.secret }),
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
  readonly secretHint: string;
  readonly error: Error | null;
  readonly children?: ReactNode;
}

/** The fields of an identity provider's settings. */
export function ConnectionFields({ value, onChange, secretHint, error, children }: ConnectionFieldsProps): ReactNode {
  const issueOf = (path: string): string | undefined => (error instanceof ApiError ? error.issueOf(path) : undefined);
  const set = (changed: Partial<ConnectionSettings>): void => onChange({ ...value, ...changed });
  return (
    <>
      <TextField
        label="Name"
        hint="The sign-in page shows it."
        isRequired
        maxLength={100}
        value={value.name}
        issue={issueOf('name')}
        onChange={(name) => set({ name })}
      />
      {children}
      <TextField
        label="Client secret"
        type="password"
        hint={secretHint}
        maxLength={2_000}
        value={value.secret}
        issue={issueOf('client_secret')}
        onChange={(secret) => set({ secret })}
      />
      <TextField
        label="Scopes"
        isRequired
        value={value.scopes}
        issue={issueOf('scopes')}
        onChange={(scopes) => set({ scopes })}
      />
      <CheckField
        label="Who signs in for the first time becomes a member"
        hint="Otherwise an administrator adds members, or a directory does."
        value={value.createsMembers}
        onChange={(createsMembers) => set({ createsMembers })}
      />
      <TextField
        label="Claim with the directory’s id of a person"
        hint="Where a directory provisions members (SCIM): sub, or oid for Entra ID."
        value={value.externalIdClaim}
        issue={issueOf('external_id_claim')}
        onChange={(externalIdClaim) => set({ externalIdClaim })}
      />
      <TextField
        label="Claim that decides about roles"
        hint="Such as groups, roles or realm_access.roles; it does while no directory is connected. Leave it empty to give roles here."
        value={value.roleClaim}
        issue={issueOf('role_claim')}
        onChange={(roleClaim) => set({ roleClaim })}
      />
      {value.roleClaim !== '' && (
        <TextArea
          label="Its values that make an administrator"
          hint="One a line. Every other value makes a member."
          rows={2}
          value={value.adminValues}
          issue={issueOf('admin_values')}
          onChange={(adminValues) => set({ adminValues })}
        />
      )}
      <TextField
        label="Claim with the groups of a person"
        hint="It puts members into the groups of the directory that it names, while no directory does that."
        value={value.groupClaim}
        issue={issueOf('group_claim')}
        onChange={(groupClaim) => set({ groupClaim })}
      />
      <CheckField
        label="A new sign-in counts without auth_time"
        hint="For providers that cannot say when a person proved who they are, such as Google. Others ask the person again."
        value={value.stepUpWithoutAuthTime}
        onChange={(stepUpWithoutAuthTime) => set({ stepUpWithoutAuthTime })}
      />
    </>
  );
}
