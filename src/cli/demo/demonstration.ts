import { randomBytes } from 'node:crypto';
import type { INestApplicationContext } from '@nestjs/common';
import { DEFAULT_ROLE, RIGHTS_OF_ADMINISTRATORS } from '../../auth/roles.js';
import type { ManagementPrincipal } from '../../auth/principal.js';
import type { Environment } from '../../config/environment.js';
import { COMMAND_LINE } from '../../modules/audit/audit-trail.js';
import { CatalogLookup } from '../../modules/catalog/catalog-lookup.service.js';
import { InstallationService, type NewOrganization } from '../../modules/installation/installation.service.js';
import { Statements } from '../../persistence/statements.js';
import { KeysService } from '../../modules/keys/keys.service.js';
import { ConnectClientsService } from '../../modules/oauth/clients/connect-clients.service.js';
import {
  DESTINATION_SETTINGS,
  DESTINATION_TYPES,
  type DestinationType,
} from '../../modules/observability/destination-settings.js';
import type { DestinationConfig } from '../../modules/observability/config-mask.js';
import { ObservabilityService } from '../../modules/observability/observability.service.js';
import { OrganizationsService } from '../../modules/organizations/organizations.service.js';
import { PresetsService } from '../../modules/presets/presets.service.js';
import { BUDGET_INTERVALS, type BudgetInterval } from '../../modules/workspaces/budgets/budget-interval.js';
import { WorkspaceBudgetsService } from '../../modules/workspaces/budgets/workspace-budgets.service.js';
import { WorkspaceMembersService } from '../../modules/workspaces/members/workspace-members.service.js';
import { WorkspacesService } from '../../modules/workspaces/workspaces.service.js';
import { ScimGroupMappingsService } from '../../modules/scim/scim-group-mappings.service.js';
import { ScimGroupsService } from '../../modules/scim/scim-groups.service.js';
import {
  createCodes,
  createGuardedKey,
  createKeys,
  type DemonstrationCode,
  type DemonstrationKeys,
  type GuardedKey,
} from './demonstration-keys.js';

/** The JSON output of the command. The names are part of its interface. */
export interface Demonstration extends DemonstrationKeys {
  base_url: string;
  management_key: string;
  api_key: string;
  client_secret: string;
  other_client_secret: string;
  organization_id: string;
  user_id: string;
  default_workspace: { id: string; slug: string };
  /** With three members and a budget of every interval. */
  workspace: { id: string; slug: string };
  scim_group_ids: string[];
  /** A fourth group, mapped to a workspace of its own. */
  scim_mapping: { id: string; scim_group_id: string; workspace_id: string; user_ids: string[] };
  /** Three versions, in the default workspace. */
  preset_slug: string;
  /** One of each type, in the order of the types. */
  destination_ids: string[];
  api_key_hash: string;
  /** A key that the client of client_secret created. */
  client_key_hash: string;
  /** Its effective policy comes from its workspace, its owner and the key itself; see getEffectiveGuardrails. */
  guarded_key: GuardedKey;
  authorization_codes: DemonstrationCode[];
  models: string[];
  other_organization: {
    organization_id: string;
    management_key: string;
    workspace: { id: string; slug: string };
    destination_id: string;
  };
}

const WORKSPACE = { name: 'Production', slug: 'production' };

const PRESET_SLUG = 'support-bot';

/** US dollars; each narrower interval has a lower limit. */
const BUDGETS: Readonly<Record<BudgetInterval, number>> = { daily: 10, weekly: 50, monthly: 150, lifetime: 1000 };

/** Creates two organizations with everything that the operations need, with the services that the operations use. */
export async function makeDemonstration(
  context: INestApplicationContext,
  environment: Environment,
): Promise<Demonstration> {
  const installation = context.get(InstallationService);
  await installation.ensureCatalog();
  const statements = context.get(Statements);
  const organizations = context.get(OrganizationsService);
  const workspaces = context.get(WorkspacesService);
  const budgets = context.get(WorkspaceBudgetsService);
  const keys = context.get(KeysService);
  const clients = context.get(ConnectClientsService);
  const destinations = context.get(ObservabilityService);
  const groups = context.get(ScimGroupsService);
  const presets = context.get(PresetsService);

  const created = await installation.createOrganization({
    organizationName: 'Demonstration',
    name: 'Demonstration administrator',
    email: 'administrator@demonstration.example',
  });
  const { organizationId, userId, workspaceId } = created;
  const caller = administratorOf(created);
  const { id: workspace } = (await workspaces.create(caller, WORKSPACE)).data;
  const memberIds: string[] = [];
  for (const name of ['First', 'Second']) {
    const member = { name: `${name} member`, email: `${name.toLowerCase()}@demonstration.example` };
    memberIds.push(
      await statements.transaction((tx) =>
        organizations.addMember(tx, organizationId, { ...member, role: DEFAULT_ROLE }),
      ),
    );
  }
  await context.get(WorkspaceMembersService).add(caller, { id: workspace, user_ids: [userId, ...memberIds] });
  for (const interval of BUDGET_INTERVALS) {
    await budgets.upsert(caller, { id: workspace, interval, limit_usd: BUDGETS[interval] });
  }

  await organizations.enableScim(organizationId);
  const addGroup = (displayName: string): Promise<string> =>
    groups.add(caller, organizationId, { displayName, externalId: `idp-${displayName.toLowerCase()}` });
  const groupIds: string[] = [];
  for (const name of ['Engineering', 'Research', 'Support']) groupIds.push(await addGroup(name));
  const mappedGroup = await addGroup('Operations');
  await groups.addMembers(caller, organizationId, mappedGroup, memberIds);
  const { id: mappedWorkspace } = (await workspaces.create(caller, { name: 'Operations', slug: 'operations' })).data;
  const pair = { scim_group_id: mappedGroup, workspace_id: mappedWorkspace };
  const mapping = await context.get(ScimGroupMappingsService).createMapping(caller, pair);

  const models = await context.get(CatalogLookup).sampleOfNames();
  for (const temperature of [0.2, 0.5, 0.7]) {
    const messages = [{ role: 'system', content: 'You answer questions about the product, briefly.' }];
    const body = { ...(models[0] !== undefined && { model: models[0] }), temperature, messages };
    await presets.createFromInference(caller, { slug: PRESET_SLUG, body });
  }

  const destinationIds: string[] = [];
  for (const type of DESTINATION_TYPES) {
    const { data } = await destinations.create(caller, { name: type, type, config: exampleConfig(type) });
    destinationIds.push(data.id);
  }

  const client = await clients.issue(COMMAND_LINE, organizationId, 'Demonstration client', []);
  const otherClient = await clients.issue(COMMAND_LINE, organizationId, 'Other client', []);
  const apiKey = await keys.issue(COMMAND_LINE, { kind: 'api_key', organizationId, userId, name: 'Demonstration key' });
  const clientKey = await keys.issue(COMMAND_LINE, {
    kind: 'api_key',
    organizationId,
    userId,
    name: 'Key of the client',
    connectClientId: client.id,
  });

  return {
    base_url: `http://localhost:${environment.port}${environment.apiBasePath}`,
    management_key: created.managementKey,
    api_key: apiKey.plaintext,
    client_secret: client.plaintext,
    other_client_secret: otherClient.plaintext,
    organization_id: organizationId,
    user_id: userId,
    default_workspace: { id: workspaceId, slug: 'default' },
    workspace: { id: workspace, slug: WORKSPACE.slug },
    scim_group_ids: groupIds,
    scim_mapping: { id: mapping.data.id, ...pair, user_ids: memberIds },
    preset_slug: PRESET_SLUG,
    destination_ids: destinationIds,
    api_key_hash: apiKey.hash,
    client_key_hash: clientKey.hash,
    ...(await createKeys(context, caller)),
    guarded_key: await createGuardedKey(context, caller, memberIds[0]!, mappedWorkspace),
    authorization_codes: await createCodes(context, caller),
    models,
    other_organization: await createOtherOrganization(context),
  };
}

async function createOtherOrganization(context: INestApplicationContext): Promise<Demonstration['other_organization']> {
  const created = await context.get(InstallationService).createOrganization({
    organizationName: 'Other demonstration',
    name: 'Other administrator',
    email: 'administrator@other.example',
  });
  const { organizationId, managementKey } = created;
  const destination = await context
    .get(ObservabilityService)
    .create(administratorOf(created), { name: 'langfuse', type: 'langfuse', config: exampleConfig('langfuse') });
  const workspace = { name: 'Theirs', slug: 'theirs' };
  const { data } = await context.get(WorkspacesService).create(administratorOf(created), workspace);
  return {
    organization_id: organizationId,
    management_key: managementKey,
    workspace: { id: data.id, slug: workspace.slug },
    destination_id: destination.data.id,
  };
}

/** The administrator of an organization, as the caller of operations. */
function administratorOf({ organizationId, userId, managementKeyId }: NewOrganization): ManagementPrincipal {
  return {
    kind: 'management_key',
    origin: null,
    organizationId,
    userId,
    credentialId: managementKeyId,
    ...RIGHTS_OF_ADMINISTRATORS,
  };
}

/** A configuration with every required setting and a header. Its credentials are random and not valid anywhere. */
function exampleConfig(type: DestinationType): DestinationConfig {
  const settings = Object.entries(DESTINATION_SETTINGS[type]).filter(
    ([, { required, credential, default: fallback }]) => required || credential || fallback !== undefined,
  );
  return {
    ...Object.fromEntries(
      settings.map(([name, { example, credential, pattern }]) => [
        name,
        // A credential with a pattern has to match it, so the example is used.
        credential && pattern === undefined ? `demo-${randomBytes(16).toString('hex')}` : example,
      ]),
    ),
    headers: { 'x-demonstration': `demo-${randomBytes(16).toString('hex')}` },
  };
}
