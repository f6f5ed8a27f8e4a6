import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, answered } from '../../api/client';
import { UpdateOrganizationSettingsRequest } from '../../api/descriptions';
import { ROLE_LABELS } from '../../api/roles';
import { useMay, useSession } from '../../api/session';
import { useChange } from '../../api/use-change';
import { Facts } from '../../components/facts';
import { ConsentSettings } from './consent-settings';
import { Failure } from '../../components/failure';
import { requestFields, SelectField } from '../../components/fields';
import { Page, Section } from '../../components/page';
import { Time } from '../../components/values';
import { ProvisioningTokens } from './provisioning-tokens';
import { SettingsParts } from './settings-parts';

const KEYS_OF_DEACTIVATED = [
  ['suspend', 'Are suspended until the reactivation'],
  ['keep_api_keys', 'Stay in force; management keys are suspended'],
] as const;

/** The settings of the organization, the tokens of its directory, and who is signed in. */
export function SettingsPage(): ReactNode {
  const may = useMay();
  return (
    <Page title="Settings">
      <SettingsParts />
      {may('settings_read') && <OrganizationSettings />}
      {may('scim_read') && <ProvisioningTokens />}
      <SignedIn />
    </Page>
  );
}

function OrganizationSettings(): ReactNode {
  const may = useMay();
  const found = useQuery({
    queryKey: ['settings'],
    queryFn: ({ signal }) => answered(api.GET('/api/v1/organization/settings', { signal })),
  });
  const save = useChange({
    run: (chosen: string) =>
      answered(
        api.PATCH('/api/v1/organization/settings', {
          body: { keys_of_deactivated_members: chosen as (typeof KEYS_OF_DEACTIVATED)[number][0] },
        }),
      ),
    invalidates: ['settings'],
    says: 'The settings were saved.',
  });
  const settings = found.data?.data;
  return (
    <>
      <Section title="Members">
        <Failure error={found.error ?? save.error} />
        {settings !== undefined &&
          (may('settings_write') ? (
            <div className="narrow">
              <SelectField
                label="Keys of members who are deactivated"
                {...requestFields(UpdateOrganizationSettingsRequest, save.error)('keys_of_deactivated_members')}
                value={settings.keys_of_deactivated_members}
                options={KEYS_OF_DEACTIVATED}
                onChange={(chosen) => save.mutate(chosen)}
              />
            </div>
          ) : (
            <p>
              Keys of members who are deactivated:{' '}
              {KEYS_OF_DEACTIVATED.find(([value]) => value === settings.keys_of_deactivated_members)?.[1]}
            </p>
          ))}
      </Section>
      {settings !== undefined && <ConsentSettings settings={settings} />}
    </>
  );
}

function SignedIn(): ReactNode {
  const session = useSession();
  if (session === undefined) return null;
  return (
    <Section title="You">
      <Facts
        facts={[
          ['Name', session.user.name],
          ['E-mail', session.user.email],
          ['Organization', session.organization.name],
          ['Role', ROLE_LABELS[session.role]],
          ['Signed in', <Time at={session.authenticated_at} />],
          ['You reach', session.only_own ? 'Your own keys and requests' : 'What your permissions name'],
        ]}
      />
      <details>
        <summary>Your permissions: {session.permissions.length}</summary>
        <ul className="columns">
          {session.permissions.map((permission) => (
            <li key={permission}>
              <code>{permission}</code>
            </li>
          ))}
        </ul>
      </details>
    </Section>
  );
}
