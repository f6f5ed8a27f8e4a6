import type { INestApplicationContext } from '@nestjs/common';
import type { Command } from 'commander';
import { ADMINISTRATOR } from '../auth/roles.js';
import { type JsonOption, withJson } from './output.js';
import { UsageError } from '../bootstrap/usage-error.js';
import { OrganizationsService } from '../modules/organizations/organizations.service.js';

/** The options of commands that work on one organization. */
export interface OrganizationOptions extends JsonOption {
  readonly organization?: string;
}

/** Adds these options to a command. */
export function withOrganization(command: Command): Command {
  return withJson(command.option('--organization <id>', 'the organization (default: the oldest)'));
}

/**
 * Finds the organization that the options name.
 *
 * @throws UsageError when it does not exist
 */
export async function organizationIdOf(
  context: INestApplicationContext,
  requested: string | undefined,
): Promise<string> {
  const organizations = context.get(OrganizationsService);
  const organization = requested === undefined ? await organizations.first() : await organizations.find(requested);
  if (organization === undefined) {
    throw new UsageError(requested === undefined ? 'There is no organization yet.' : `There is no ${requested}.`);
  }
  return organization.id;
}

/**
 * Finds the member that the options name.
 *
 * @param requested the id of the user; without it the oldest administrator
 * @throws UsageError when there is none
 */
export async function memberOf(
  context: INestApplicationContext,
  organization: string | undefined,
  requested: string | undefined,
): Promise<{ readonly organizationId: string; readonly userId: string }> {
  const organizationId = await organizationIdOf(context, organization);
  const members = await context.get(OrganizationsService).membersOf(organizationId);
  const member = members.find(({ userId, role }) =>
    requested === undefined ? role === ADMINISTRATOR : userId === requested,
  );
  if (member !== undefined) return { organizationId, userId: member.userId };
  throw new UsageError(
    `${organizationId} has no active ${requested === undefined ? 'administrator' : `member ${requested}`}: see gatehouse member.`,
  );
}
