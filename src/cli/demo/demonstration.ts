import type { INestApplicationContext } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { ManagementPrincipal } from '../../auth/principal.js';
import type { Environment } from '../../config/environment.js';
import { COMMAND_LINE } from '../../modules/audit/audit-trail.js';
import { CatalogService } from '../../modules/catalog/catalog.service.js';
import { InstallationService, type NewOrganization } from '../../modules/installation/installation.service.js';
import { ConnectClientsService } from '../../modules/keys/connect-clients.service.js';
import { KeysService } from '../../modules/keys/keys.service.js';
import { ObservabilityService } from '../../modules/observability/observability.service.js';
import { DESTINATION_TYPES } from '../../modules/observability/destination-type.js';
import { OrganizationsService } from '../../modules/organizations/organizations.service.js';
import { PresetsService } from '../../modules/presets/presets.service.js';
import { BUDGET_INTERVALS, type BudgetInterval } from '../../modules/workspaces/budget-interval.js';
import { WorkspaceAdministrationService } from '../../modules/workspaces/workspace-administration.service.js';
import { WorkspaceBudgetsService } from '../../modules/workspaces/workspace-budgets.service.js';
import { WorkspacesService } from '../../modules/workspaces/workspaces.service.js';
import { type DemonstrationCode, makeCodes } from './demonstration-codes.js';
import { type DemonstrationMapping, makeGroups, makeMappedGroup } from './demonstration-groups.js';
import { type DemonstrationKeys, makeKeys } from './demonstration-keys.js';
import { exampleConfig } from './example-config.js';
import { type GuardedKey, makeGuardedKey } from './guarded-key.js';

/** What scripts read; the names are part of the command's interface. */
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
  scim_mapping: DemonstrationMapping;
  /** Three versions, in the default workspace. */
  preset_slug: string;
  /** One of each type, in the order of the types. */
  destination_ids: string[];
  api_key_hash: string;
  /** A key that the client of client_secret created. */
  client_key_hash: string;
  /** What applies to it comes from its workspace, its owner and itself; see getEffectiveGuardrails. */
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

/** US dollars; each narrower interval has less. */
const BUDGETS: Readonly<Record<BudgetInterval, number>> = { daily: 10, weekly: 50, monthly: 150, lifetime: 1000 };

/** Makes two organizations with everything that the operations need, through the services that make it in production. */
export async function makeDemonstration(
  context: INestApplicationContext,
  environment: Environment,
): Promise<Demonstration> {
  const installation = context.get(InstallationService);
  await installation.ensureCatalog();
  const { manager } = context.get(DataSource);
  const organizations = context.get(OrganizationsService);
  const administration = context.get(WorkspaceAdministrationService);
  const budgets = context.get(WorkspaceBudgetsService);
  const workspaces = context.get(WorkspacesService);
  const keys = context.get(KeysService);
  const clients = context.get(ConnectClientsService);
  const destinations = context.get(ObservabilityService);

  const made = await installation.createOrganization({
    organizationName: 'Demonstration',
    name: 'Demonstration administrator',
    email: 'administrator@demonstration.example',
  });
  const { organizationId, userId, workspaceId } = made;
  const caller = administratorOf(made);
  const { id: workspace } = (await administration.create(caller, WORKSPACE)).data;
  await workspaces.addMember(manager, organizationId, workspace, userId, 'admin');
  const memberIds: string[] = [];
  for (const name of ['First', 'Second']) {
    const member = { name: `${name} member`, email: `${name.toLowerCase()}@demonstration.example` };
    const memberId = await organizations.addMember(manager, organizationId, { ...member, role: 'member' });
    await workspaces.addMember(manager, organizationId, workspace, memberId, 'member');
    memberIds.push(memberId);
  }
  for (const interval of BUDGET_INTERVALS) {
    await budgets.upsert(caller, { id: workspace, interval, limit_usd: BUDGETS[interval] });
  }

  await organizations.enableScim(organizationId);
  const groups = await makeGroups(context, caller, ['Engineering', 'Research', 'Support']);
  const mappedWorkspace = { name: 'Operations', slug: 'operations', isDefault: false, createdBy: userId };
  const mappedWorkspaceId = await workspaces.create(manager, organizationId, mappedWorkspace);
  const mapping = await makeMappedGroup(context, caller, mappedWorkspaceId, memberIds);

  await context.get(PresetsService).create(manager, {
    organizationId,
    workspaceId,
    slug: PRESET_SLUG,
    name: 'Support bot',
    creatorId: userId,
    versions: [0.2, 0.5, 0.7].map((temperature) => ({
      config: { model: 'openai/gpt-5.5', temperature },
      systemPrompt: 'You answer questions about the product, briefly.',
    })),
  });

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
    management_key: made.managementKey,
    api_key: apiKey.plaintext,
    client_secret: client.plaintext,
    other_client_secret: otherClient.plaintext,
    organization_id: organizationId,
    user_id: userId,
    default_workspace: { id: workspaceId, slug: 'default' },
    workspace: { id: workspace, slug: WORKSPACE.slug },
    scim_group_ids: groups,
    scim_mapping: mapping,
    preset_slug: PRESET_SLUG,
    destination_ids: destinationIds,
    api_key_hash: apiKey.hash,
    client_key_hash: clientKey.hash,
    ...(await makeKeys(context, caller)),
    guarded_key: await makeGuardedKey(context, caller, memberIds[0]!, mappedWorkspaceId),
    authorization_codes: await makeCodes(context, caller),
    models: await context.get(CatalogService).sampleOfNames(),
    other_organization: await makeOtherOrganization(context),
  };
}

async function makeOtherOrganization(context: INestApplicationContext): Promise<Demonstration['other_organization']> {
  const made = await context.get(InstallationService).createOrganization({
    organizationName: 'Other demonstration',
    name: 'Other administrator',
    email: 'administrator@other.example',
  });
  const { organizationId, managementKey } = made;
  const destination = await context
    .get(ObservabilityService)
    .create(administratorOf(made), { name: 'langfuse', type: 'langfuse', config: exampleConfig('langfuse') });
  const workspace = { name: 'Theirs', slug: 'theirs' };
  const { data } = await context.get(WorkspaceAdministrationService).create(administratorOf(made), workspace);
  return {
    organization_id: organizationId,
    management_key: managementKey,
    workspace: { id: data.id, slug: workspace.slug },
    destination_id: destination.data.id,
  };
}

/** Who runs an organization, as the caller of operations. */
function administratorOf({ organizationId, userId, managementKeyId }: NewOrganization): ManagementPrincipal {
  return { kind: 'management_key', origin: null, organizationId, userId, credentialId: managementKeyId };
}
