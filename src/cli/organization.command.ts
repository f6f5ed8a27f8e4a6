import { Command } from 'commander';
import { UsageError } from '../bootstrap/usage-error.js';
import { InstallationService } from '../modules/installation/installation.service.js';
import {
  OrganizationRemovalService,
  type RemovalRefusal,
} from '../modules/installation/organization-removal.service.js';
import { type OrganizationOverview, OrganizationsService } from '../modules/organizations/organizations.service.js';
import { withApplicationContext } from './application-context.js';
import { type JsonOption, printResult, withJson } from './output.js';

/** `gatehouse organization`: the organizations of the deployment. */
export function organizationCommand(): Command {
  return new Command('organization').addCommand(listCommand()).addCommand(createCommand()).addCommand(deleteCommand());
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

interface CreateOptions extends JsonOption {
  readonly adminName: string;
  readonly adminEmail: string;
}

function createCommand(): Command {
  return withJson(new Command('create'))
    .description('create an organization with an administrator and a management key')
    .argument('<name>', 'the name')
    .option('--admin-name <name>', 'the name of the administrator', 'Administrator')
    .option('--admin-email <address>', 'the email address of the administrator', 'administrator@localhost')
    .action(async (name: string, { adminName, adminEmail, ...options }: CreateOptions) => {
      if (name.trim() === '') throw new UsageError('The name is empty.');
      const made = await withApplicationContext((context) =>
        context
          .get(InstallationService)
          .createOrganization({ organizationName: name, name: adminName, email: adminEmail }),
      );
      printResult(
        options,
        { organization_id: made.organizationId, user_id: made.userId, management_key: made.managementKey },
        `Organization    ${made.organizationId}`,
        `User            ${made.userId}`,
        `Management key  ${made.managementKey}`,
        '                Keep it now: it is not shown again.',
      );
    });
}

interface DeleteOptions extends JsonOption {
  readonly confirm: string;
}

const REFUSALS: Readonly<Record<RemovalRefusal, string>> = {
  unknown: 'There is no such organization.',
  other_name: '--confirm must be the name of the organization.',
  hasGenerations: 'The organization has generations.',
  hasCharges: 'The organization has been charged.',
  hasUsedKeys: 'A key of the organization has been used.',
  hasLaterEvents: 'The audit trail of the organization has more than its creation.',
};

function deleteCommand(): Command {
  return withJson(new Command('delete'))
    .description('delete an organization that was never used; its audit trail stays')
    .argument('<id>', 'the id of the organization')
    .requiredOption('--confirm <name>', 'the name of the organization: this cannot be undone')
    .action(async (id: string, { confirm, ...options }: DeleteOptions) => {
      const refusal = await withApplicationContext((context) =>
        context.get(OrganizationRemovalService).remove(id, confirm),
      );
      if (refusal !== undefined) throw new UsageError(REFUSALS[refusal]);
      printResult(options, { organization_id: id, deleted: true }, `${id} is deleted. Its audit trail stays.`);
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
