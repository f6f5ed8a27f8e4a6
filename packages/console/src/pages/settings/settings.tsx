import type { ReactNode } from 'react';
import { useMay, useSession } from '../../api/session';
import { Facts } from '../../components/facts';
import { Page, Section } from '../../components/page';
import { Time } from '../../components/values';
import { ProvisioningTokens } from './provisioning-tokens';

/** The tokens of the directory, and who is signed in. */
export function SettingsPage(): ReactNode {
  const may = useMay();
  return (
    <Page title="Settings">
      {may('scim_read') && <ProvisioningTokens />}
      <SignedIn />
    </Page>
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
          ['Role', session.role === 'admin' ? 'Administrator' : 'Member'],
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
