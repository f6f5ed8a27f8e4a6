import { Command } from 'commander';
import { BadRequestError } from '../http/errors/bad-request-error.js';
import { COMMAND_LINE } from '../modules/audit/audit-trail.js';
import { OrganizationsService } from '../modules/organizations/organizations.service.js';
import { MassDeactivationService } from '../modules/scim/provisioning/mass-deactivation.service.js';
import { ScimGroupNotFound } from '../modules/scim/scim.errors.js';
import { ScimGroupsService } from '../modules/scim/scim-groups.service.js';
import { withApplicationContext } from './application-context.js';
import { organizationIdOf, type OrganizationOptions, withOrganization } from './organization-option.js';
import { printResult } from './output.js';
import { scimTokenCommand } from './scim-token.command.js';
import { UsageError } from '../bootstrap/usage-error.js';

interface AddGroupOptions extends OrganizationOptions {
  readonly externalId?: string;
}

/** `gatehouse scim`: manages groups manually in place of an identity provider. */
export function scimCommand(): Command {
  return new Command('scim')
    .addCommand(enableCommand())
    .addCommand(disableCommand())
    .addCommand(listCommand())
    .addCommand(addGroupCommand())
    .addCommand(removeGroupCommand())
    .addCommand(addMemberCommand())
    .addCommand(removeMemberCommand())
    .addCommand(scimTokenCommand())
    .addCommand(reactivateCommand());
}

function enableCommand(): Command {
  return withOrganization(new Command('enable'))
    .description('enable SCIM for an organization')
    .action(async (options: OrganizationOptions) => {
      const organizationId = await withApplicationContext(async (context) => {
        const id = await organizationIdOf(context, options.organization);
        await context.get(OrganizationsService).enableScim(id);
        return id;
      });
      const result = { organization_id: organizationId, scim_enabled: true };
      printResult(options, result, `SCIM is enabled for ${organizationId}.`);
    });
}

function disableCommand(): Command {
  return withOrganization(new Command('disable'))
    .description('disable SCIM for an organization; groups, mappings and memberships stay as they are')
    .action(async (options: OrganizationOptions) => {
      const organizationId = await withApplicationContext(async (context) => {
        const id = await organizationIdOf(context, options.organization);
        await context.get(OrganizationsService).disableScim(id);
        return id;
      });
      const result = { organization_id: organizationId, scim_enabled: false };
      printResult(options, result, `SCIM is disabled for ${organizationId}.`);
    });
}

function listCommand(): Command {
  return withOrganization(new Command('list'))
    .description('list the groups of an organization, oldest first, and whether SCIM is enabled')
    .action(async (options: OrganizationOptions) => {
      const listed = await withApplicationContext(async (context) => {
        const organizationId = await organizationIdOf(context, options.organization);
        const isEnabled = await context.get(OrganizationsService).isScimEnabled(organizationId);
        return { organizationId, isEnabled, groups: await context.get(ScimGroupsService).all(organizationId) };
      });
      const { organizationId, isEnabled, groups } = listed;
      printResult(
        options,
        {
          organization_id: organizationId,
          scim_enabled: isEnabled,
          groups: groups.map(({ id, displayName, externalId, members }) => ({
            scim_group_id: id,
            display_name: displayName,
            external_id: externalId,
            member_count: members,
          })),
        },
        `SCIM is ${isEnabled ? 'enabled' : 'disabled'} for ${organizationId}.`,
        ...(groups.length === 0 ? ['It has no groups.'] : []),
        ...groups.map(
          ({ id, displayName, members }) => `${id}  ${displayName}  ${members} member${members === 1 ? '' : 's'}`,
        ),
      );
    });
}

interface ReactivateOptions extends OrganizationOptions {
  readonly deactivatedSince: string;
  readonly deactivatedUntil?: string;
}

/** Takes back what a run of a directory took away (docs/interface/scim-provisioning.md#many-at-once). */
function reactivateCommand(): Command {
  return withOrganization(new Command('reactivate'))
    .description('reactivate the members whom the directory has deactivated in some time')
    .requiredOption('--deactivated-since <time>', 'the beginning, as an ISO 8601 time')
    .option('--deactivated-until <time>', 'the end, as an ISO 8601 time (default: now)')
    .action(async ({ organization, deactivatedSince, deactivatedUntil, ...options }: ReactivateOptions) => {
      const since = timeOf(deactivatedSince);
      const until = deactivatedUntil === undefined ? null : timeOf(deactivatedUntil);
      const userIds = await withApplicationContext(async (context) => {
        const organizationId = await organizationIdOf(context, organization);
        return context.get(MassDeactivationService).reactivate(COMMAND_LINE, organizationId, since, until);
      });
      const members = userIds.length === 1 ? 'member is' : 'members are';
      printResult(options, { reactivated_user_ids: userIds }, `${userIds.length} ${members} active again.`, ...userIds);
    });
}

/** @throws UsageError for a text that is no ISO 8601 time */
function timeOf(text: string): Date {
  const time = new Date(text);
  if (!/^\d{4}-\d\d-\d\d/.test(text) || Number.isNaN(time.getTime()))
    throw new UsageError(`${text} is no ISO 8601 time.`);
  return time;
}

function addGroupCommand(): Command {
  return withOrganization(new Command('add-group'))
    .description('add a group, as an identity provider would push it')
    .argument('<name>', 'the display name')
    .option('--external-id <id>', 'the id of the group at the identity provider')
    .action(async (name: string, { organization, externalId, ...options }: AddGroupOptions) => {
      const made = await withApplicationContext(async (context) => {
        const organizationId = await organizationIdOf(context, organization);
        const group = { displayName: name, externalId: externalId ?? null };
        const id = await context.get(ScimGroupsService).add(COMMAND_LINE, organizationId, group);
        return { id, organizationId };
      });
      const result = { scim_group_id: made.id, organization_id: made.organizationId, display_name: name };
      printResult(options, result, `Group ${made.id} is added to ${made.organizationId}.`);
    });
}

function removeGroupCommand(): Command {
  return withOrganization(new Command('remove-group'))
    .description('remove a group with its mappings, and the memberships that only it grants')
    .argument('<group>', 'the id of the group')
    .action(async (group: string, options: OrganizationOptions) => {
      await withGroups(group, options, (groups, organizationId) => groups.remove(COMMAND_LINE, organizationId, group));
      printResult(options, { scim_group_id: group, deleted: true }, `Group ${group} is removed.`);
    });
}

function addMemberCommand(): Command {
  return withMembers(new Command('add-member'), 'add members of the organization to a group').action(
    async (group: string, users: string[], options: OrganizationOptions) => {
      const added = await withGroups(group, options, (groups, organizationId) =>
        groups.addMembers(COMMAND_LINE, organizationId, group, users),
      );
      printResult(options, { scim_group_id: group, added_count: added }, `${added} added to ${group}.`);
    },
  );
}

function removeMemberCommand(): Command {
  return withMembers(new Command('remove-member'), 'remove users from a group').action(
    async (group: string, users: string[], options: OrganizationOptions) => {
      const removed = await withGroups(group, options, (groups, organizationId) =>
        groups.removeMembers(COMMAND_LINE, organizationId, group, users),
      );
      printResult(options, { scim_group_id: group, removed_count: removed }, `${removed} removed from ${group}.`);
    },
  );
}

function withMembers(command: Command, description: string): Command {
  return withOrganization(command)
    .description(description)
    .argument('<group>', 'the id of the group')
    .argument('<user...>', 'the ids of the users');
}

/** Runs work with the groups of the organization that the options name. */
async function withGroups<T>(
  group: string,
  { organization }: OrganizationOptions,
  work: (groups: ScimGroupsService, organizationId: string) => Promise<T>,
): Promise<T> {
  return withApplicationContext(async (context) => {
    const organizationId = await organizationIdOf(context, organization);
    try {
      return await work(context.get(ScimGroupsService), organizationId);
    } catch (error) {
      if (error instanceof ScimGroupNotFound) throw new UsageError(`There is no group ${group}.`);
      if (!(error instanceof BadRequestError)) throw error;
      throw new UsageError(error.issues.map(({ path, message }) => `${path} ${message}`).join('\n'));
    }
  });
}
