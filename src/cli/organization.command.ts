import { Command } from 'commander';
import { type OrganizationOverview, OrganizationsService } from '../modules/organizations/index.js';
import { withApplicationContext } from './application-context.js';
import { type JsonOption, printResult, withJson } from './output.js';

/** `gatehouse organization`: the organizations of the deployment. */
export function organizationCommand(): Command {
  return new Command('organization').description('the organizations of the deployment').addCommand(listCommand());
}

function listCommand(): Command {
  return withJson(new Command('list'))
    .description('list the organizations, oldest first, with how many members and keys each has')
    .action(async (options: JsonOption) => {
      const organizations = await withApplicationContext((context) => context.get(OrganizationsService).overview());
      const lines = organizations.length === 0 ? ['There is no organization yet.'] : organizations.map(describe);
      printResult(options, { organizations: organizations.map(toJson) }, ...lines);
    });
}

function describe({ id, name, createdAt, members, apiKeys, managementKeys }: OrganizationOverview): string {
  const counts = [
    counted(members, 'member'),
    counted(managementKeys, 'management key'),
    counted(apiKeys, 'API key'),
  ].join(', ');
  return `${id}  ${name}  created ${createdAt.toISOString().slice(0, 10)}, ${counts}`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function toJson(organization: OrganizationOverview): object {
  const { id, name, createdAt, scimEnabled, members, apiKeys, managementKeys } = organization;
  return {
    id,
    name,
    created_at: createdAt.toISOString(),
    scim_enabled: scimEnabled,
    members,
    management_keys: managementKeys,
    api_keys: apiKeys,
  };
}
