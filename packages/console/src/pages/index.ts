import type { ComponentType } from 'react';
import type { Permission } from '../api/session';
import type { IconName } from '../components/icon';
import { BudgetsPage } from './budgets/budgets';
import { AuditPage } from './audit/audit';
import { DestinationPage } from './destinations/destination';
import { DestinationsPage } from './destinations/destinations';
import { GuardrailPage, NewGuardrailPage } from './guardrails/guardrail';
import { GuardrailsPage } from './guardrails/guardrails';
import { KeyPage } from './keys/key';
import { KeysPage } from './keys/keys';
import { LimitPage } from './limits/limit';
import { LimitsPage } from './limits/limits';
import { ModelsPage } from './models/models';
import { OverviewPage } from './overview/overview';
import { GroupPage } from './people/group';
import { GroupsPage } from './people/groups';
import { MemberPage } from './people/member';
import { MembersPage } from './people/members';
import { ProvidersPage } from './providers/providers';
import { RequestPage } from './requests/request';
import { RequestsPage } from './requests/requests';
import { ManagementKeyPage } from './settings/management-key';
import { ManagementKeysPage } from './settings/management-keys';
import { SettingsPage } from './settings/settings';
import { SignInConnectionPage } from './settings/sign-in-connection';
import { SignInPage } from './settings/sign-in';

/** A page of the navigation, and those below it. */
interface PageEntry {
  readonly path: string;
  readonly label: string;
  readonly icon: IconName;
  /** Without it the page is left out of the navigation. Undefined: everybody has the page. */
  readonly permission?: Permission;
  readonly page: ComponentType;
  /** By what follows the path, with parameters after a colon. */
  readonly below?: Readonly<Record<string, ComponentType>>;
}

/** All pages, in the order of the navigation. A new page is one entry. */
export const PAGES: readonly PageEntry[] = [
  {
    path: '/overview',
    label: 'Overview',
    icon: 'overview',
    page: OverviewPage,
  },
  { path: '/keys', label: 'Keys', icon: 'key', permission: 'keys_read', page: KeysPage, below: { '/:hash': KeyPage } },
  {
    path: '/requests',
    label: 'Requests',
    icon: 'requests',
    permission: 'usage_read',
    page: RequestsPage,
    below: { '/:id': RequestPage },
  },
  {
    path: '/guardrails',
    label: 'Guardrails',
    icon: 'guardrail',
    permission: 'guardrails_read',
    page: GuardrailsPage,
    below: { '/new': NewGuardrailPage, '/:id': GuardrailPage },
  },
  { path: '/budgets', label: 'Budgets', icon: 'budget', permission: 'workspaces_read', page: BudgetsPage },
  {
    path: '/limits',
    label: 'Limits',
    icon: 'limit',
    permission: 'limits_read',
    page: LimitsPage,
    below: { '/:id': LimitPage },
  },
  { path: '/models', label: 'Models', icon: 'model', page: ModelsPage },
  { path: '/providers', label: 'Providers', icon: 'provider', page: ProvidersPage },
  {
    path: '/destinations',
    label: 'Destinations',
    icon: 'destination',
    permission: 'destinations_read',
    page: DestinationsPage,
    below: { '/:id': DestinationPage },
  },
  { path: '/audit', label: 'Audit trail', icon: 'audit', permission: 'audit_read', page: AuditPage },
  {
    path: '/members',
    label: 'Members',
    icon: 'people',
    permission: 'organization_members_read',
    page: MembersPage,
    below: { '/:id': MemberPage },
  },
  {
    path: '/groups',
    label: 'Groups',
    icon: 'group',
    permission: 'scim_read',
    page: GroupsPage,
    below: { '/:id': GroupPage },
  },
  {
    path: '/settings',
    label: 'Settings',
    icon: 'settings',
    page: SettingsPage,
    below: {
      '/management-keys': ManagementKeysPage,
      '/management-keys/:hash': ManagementKeyPage,
      '/sign-in': SignInPage,
      '/sign-in/:id': SignInConnectionPage,
    },
  },
];
