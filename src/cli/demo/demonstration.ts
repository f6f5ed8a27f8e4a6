import type { INestApplicationContext } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Environment } from '../../config/environment.js';
import { CatalogService } from '../../modules/catalog/catalog.service.js';
import { InstallationService } from '../../modules/installation/installation.service.js';
import { KeysService } from '../../modules/keys/keys.service.js';
import { ObservabilityService } from '../../modules/observability/observability.service.js';
import { DESTINATION_TYPES } from '../../modules/observability/destination-type.js';
import { OrganizationsService } from '../../modules/organizations/organizations.service.js';
import { PresetsService } from '../../modules/presets/presets.service.js';
import { ScimService } from '../../modules/scim/scim.service.js';
import { BUDGET_INTERVALS, type BudgetInterval } from '../../modules/workspaces/budget-interval.js';
import { WorkspacesService } from '../../modules/workspaces/workspaces.service.js';
import { type DemonstrationCode, makeCodes } from './demonstration-codes.js';
import { exampleConfig } from './example-config.js';

/** What scripts read; the names are part of the command's interface. */
export interface Demonstration {
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
  /** Three versions, in the default workspace. */
  preset_slug: string;
  /** One of each type, in the order of the types. */
  destination_ids: string[];
  api_key_hash: string;
  /** A key that the client of client_secret created. */
  client_key_hash: string;
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
  const workspaces = context.get(WorkspacesService);
  const keys = context.get(KeysService);
  const scim = context.get(ScimService);
  const destinations = context.get(ObservabilityService);

  const made = await installation.createOrganization({
    organizationName: 'Demonstration',
    name: 'Demonstration administrator',
    email: 'administrator@demonstration.example',
  });
  const { organizationId, userId, workspaceId } = made;
  const workspace = await workspaces.create(manager, organizationId, {
    ...WORKSPACE,
    isDefault: false,
    createdBy: userId,
  });
  await workspaces.addMember(manager, organizationId, workspace, userId, 'admin');
  for (const name of ['First', 'Second']) {
    const member = { name: `${name} member`, email: `${name.toLowerCase()}@demonstration.example` };
    const memberId = await organizations.addMember(manager, organizationId, { ...member, role: 'member' });
    await workspaces.addMember(manager, organizationId, workspace, memberId, 'member');
  }
  for (const interval of BUDGET_INTERVALS) {
    await workspaces.setBudget(manager, organizationId, workspace, interval, BUDGETS[interval]);
  }

  await organizations.enableScim(organizationId);
  const groups: string[] = [];
  for (const name of ['Engineering', 'Research', 'Support']) {
    groups.push(await scim.addGroup(manager, organizationId, name, `idp-${name.toLowerCase()}`));
  }

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
    const config = exampleConfig(type);
    destinationIds.push(await destinations.create(manager, { organizationId, workspaceId, name: type, type, config }));
  }

  const client = await keys.createClient(manager, organizationId, 'Demonstration client', []);
  const otherClient = await keys.createClient(manager, organizationId, 'Other client', []);
  const apiKey = await keys.issue(manager, { kind: 'api_key', organizationId, userId, name: 'Demonstration key' });
  const clientKey = await keys.issue(manager, {
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
    preset_slug: PRESET_SLUG,
    destination_ids: destinationIds,
    api_key_hash: apiKey.hash,
    client_key_hash: clientKey.hash,
    authorization_codes: await makeCodes(context, made),
    models: await context.get(CatalogService).sampleOfNames(),
    other_organization: await makeOtherOrganization(context),
  };
}

async function makeOtherOrganization(context: INestApplicationContext): Promise<Demonstration['other_organization']> {
  const { manager } = context.get(DataSource);
  const { organizationId, userId, workspaceId, managementKey } = await context
    .get(InstallationService)
    .createOrganization({
      organizationName: 'Other demonstration',
      name: 'Other administrator',
      email: 'administrator@other.example',
    });
  const workspace = { name: 'Theirs', slug: 'theirs', isDefault: false, createdBy: userId };
  return {
    organization_id: organizationId,
    management_key: managementKey,
    workspace: {
      id: await context.get(WorkspacesService).create(manager, organizationId, workspace),
      slug: workspace.slug,
    },
    destination_id: await context.get(ObservabilityService).create(manager, {
      organizationId,
      workspaceId,
      name: 'langfuse',
      type: 'langfuse',
      config: exampleConfig('langfuse'),
    }),
  };
}
