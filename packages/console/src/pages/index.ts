import { type ComponentType, lazy } from 'react';
import type { Permission } from '../api/session';
import type { IconName } from '../components/icon';

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

/** A page whose code is loaded when it is shown first: most people see few of them. */
function loaded(load: () => Promise<ComponentType>): ComponentType {
  return lazy(async () => ({ default: await load() }));
}

/** All pages, in the order of the navigation. A new page is one entry. */
export const PAGES: readonly PageEntry[] = [
  {
    path: '/overview',
    label: 'Overview',
    icon: 'overview',
    page: loaded(async () => (await import('./overview/overview')).OverviewPage),
  },
  {
    path: '/keys',
    label: 'Keys',
    icon: 'key',
    permission: 'keys_read',
    page: loaded(async () => (await import('./keys/keys')).KeysPage),
    below: { '/:hash': loaded(async () => (await import('./keys/key')).KeyPage) },
  },
  {
    path: '/requests',
    label: 'Requests',
    icon: 'requests',
    permission: 'usage_read',
    page: loaded(async () => (await import('./requests/requests')).RequestsPage),
    below: { '/:id': loaded(async () => (await import('./requests/request')).RequestPage) },
  },
  {
    path: '/playground',
    label: 'Playground',
    icon: 'playground',
    permission: 'keys_read',
    page: loaded(async () => (await import('./playground/playground')).PlaygroundPage),
  },
  {
    path: '/presets',
    label: 'Presets',
    icon: 'preset',
    permission: 'presets_read',
    page: loaded(async () => (await import('./presets/presets')).PresetsPage),
    below: {
      '/new': loaded(async () => (await import('./presets/preset')).NewPresetPage),
      '/:workspace/:slug': loaded(async () => (await import('./presets/preset')).PresetPage),
    },
  },
  {
    path: '/guardrails',
    label: 'Guardrails',
    icon: 'guardrail',
    permission: 'guardrails_read',
    page: loaded(async () => (await import('./guardrails/guardrails')).GuardrailsPage),
    below: {
      '/new': loaded(async () => (await import('./guardrails/guardrail')).NewGuardrailPage),
      '/:id': loaded(async () => (await import('./guardrails/guardrail')).GuardrailPage),
    },
  },
  {
    path: '/inspectors',
    label: 'Inspectors',
    icon: 'inspector',
    permission: 'inspectors_read',
    page: loaded(async () => (await import('./inspectors/inspectors')).InspectorsPage),
    below: {
      '/new': loaded(async () => (await import('./inspectors/inspector')).NewInspectorPage),
      '/:id': loaded(async () => (await import('./inspectors/inspector')).InspectorPage),
    },
  },
  {
    path: '/mcp-servers',
    label: 'MCP servers',
    icon: 'tools',
    permission: 'mcp_servers_read',
    page: loaded(async () => (await import('./mcp-servers/mcp-servers')).McpServersPage),
    below: {
      '/new': loaded(async () => (await import('./mcp-servers/mcp-server')).NewMcpServerPage),
      '/:id': loaded(async () => (await import('./mcp-servers/mcp-server')).McpServerPage),
    },
  },
  {
    path: '/budgets',
    label: 'Budgets',
    icon: 'budget',
    permission: 'workspaces_read',
    page: loaded(async () => (await import('./budgets/budgets')).BudgetsPage),
  },
  {
    path: '/limits',
    label: 'Limits',
    icon: 'limit',
    permission: 'limits_read',
    page: loaded(async () => (await import('./limits/limits')).LimitsPage),
    below: { '/:id': loaded(async () => (await import('./limits/limit')).LimitPage) },
  },
  {
    path: '/models',
    label: 'Models',
    icon: 'model',
    page: loaded(async () => (await import('./models/models')).ModelsPage),
    below: {
      '/own': loaded(async () => (await import('./own-models/own-models')).OwnModelsPage),
      '/own/new': loaded(async () => (await import('./own-models/endpoint')).NewEndpointPage),
      '/own/:id': loaded(async () => (await import('./own-models/endpoint')).EndpointPage),
    },
  },
  {
    path: '/providers',
    label: 'Providers',
    icon: 'provider',
    page: loaded(async () => (await import('./providers/providers')).ProvidersPage),
    below: {
      '/connections': loaded(async () => (await import('./providers/connections')).ConnectionsPage),
      '/keys': loaded(async () => (await import('./providers/own-keys')).OwnKeysPage),
      '/keys/new': loaded(async () => (await import('./providers/own-key')).NewOwnKeyPage),
      '/keys/:id': loaded(async () => (await import('./providers/own-key')).OwnKeyPage),
    },
  },
  {
    path: '/mcp-connections',
    label: 'Tool connections',
    icon: 'connection',
    permission: 'keys_read',
    page: loaded(async () => (await import('./mcp-connections/mcp-connections')).McpConnectionsPage),
    below: { '/callback': loaded(async () => (await import('./mcp-connections/mcp-connections')).McpCallbackPage) },
  },
  {
    path: '/destinations',
    label: 'Destinations',
    icon: 'destination',
    permission: 'destinations_read',
    page: loaded(async () => (await import('./destinations/destinations')).DestinationsPage),
    below: {
      '/new': loaded(async () => (await import('./destinations/new-destination')).NewDestinationPage),
      '/:id': loaded(async () => (await import('./destinations/destination')).DestinationPage),
    },
  },
  {
    path: '/alerts',
    label: 'Alerts',
    icon: 'alert',
    permission: 'alerts_read',
    page: loaded(async () => (await import('./alerts/alerts')).AlertsPage),
    below: {
      '/new': loaded(async () => (await import('./alerts/alert')).NewAlertPage),
      '/:id': loaded(async () => (await import('./alerts/alert')).AlertPage),
    },
  },
  {
    path: '/audit',
    label: 'Audit trail',
    icon: 'audit',
    permission: 'audit_read',
    page: loaded(async () => (await import('./audit/audit')).AuditPage),
  },
  {
    path: '/workspaces',
    label: 'Workspaces',
    icon: 'workspace',
    permission: 'workspaces_read',
    page: loaded(async () => (await import('./workspaces/workspaces')).WorkspacesPage),
    below: {
      '/new': loaded(async () => (await import('./workspaces/workspace')).NewWorkspacePage),
      '/:id': loaded(async () => (await import('./workspaces/workspace')).WorkspacePage),
    },
  },
  {
    path: '/members',
    label: 'Members',
    icon: 'people',
    permission: 'organization_members_read',
    page: loaded(async () => (await import('./people/members')).MembersPage),
    below: { '/:id': loaded(async () => (await import('./people/member')).MemberPage) },
  },
  {
    path: '/groups',
    label: 'Groups',
    icon: 'group',
    permission: 'scim_read',
    page: loaded(async () => (await import('./people/groups')).GroupsPage),
    below: { '/:id': loaded(async () => (await import('./people/group')).GroupPage) },
  },
  {
    path: '/settings',
    label: 'Settings',
    icon: 'settings',
    page: loaded(async () => (await import('./settings/settings')).SettingsPage),
    below: {
      '/management-keys': loaded(async () => (await import('./settings/management-keys')).ManagementKeysPage),
      '/management-keys/:hash': loaded(async () => (await import('./settings/management-key')).ManagementKeyPage),
      '/sign-in': loaded(async () => (await import('./settings/sign-in')).SignInPage),
      '/sign-in/:id': loaded(async () => (await import('./settings/sign-in-connection')).SignInConnectionPage),
      '/federation': loaded(async () => (await import('./federation/federation')).FederationPage),
      '/federation/new': loaded(async () => (await import('./federation/policy')).NewPolicyPage),
      '/federation/:id': loaded(async () => (await import('./federation/policy')).PolicyPage),
    },
  },
];
