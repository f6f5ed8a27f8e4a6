import { Command } from 'commander';
import { UsageError } from '../bootstrap/usage-error.js';
import { COMMAND_LINE } from '../modules/audit/audit-trail.js';
import { KeysService } from '../modules/keys/keys.service.js';
import { MAXIMUM_ALLOWED_ADDRESSES, parseAllowedRange } from '../modules/keys/allowed-ranges.js';
import { type Permission, SCOPES } from '../auth/permissions.js';
import { onOrganization } from './interface/either-way.js';
import { memberOf, type OrganizationOptions, withOrganization } from './organization-option.js';
import { printResult } from './output.js';

interface ManagementKeyOptions extends OrganizationOptions {
  readonly user?: string;
  readonly name: string;
  readonly scopes?: string;
  readonly allowedAddresses?: string;
}

/** `gatehouse management-key`: restores access for an organization that has lost its keys. */
export function managementKeyCommand(): Command {
  return withOrganization(new Command('management-key'))
    .option(
      '--user <id>',
      'the member who owns the key (default: the oldest administrator; at a server the owner of GATEHOUSE_KEY)',
    )
    .option('--name <name>', 'the name of the key', 'Management key')
    .option('--scopes <list>', 'the permissions that it is restricted to, such as keys_read,usage_read (default: all)')
    .option('--allowed-addresses <list>', 'the client addresses and ranges that it is bound to (default: all)')
    .action(async ({ organization, user, name, scopes, allowedAddresses, ...options }: ManagementKeyOptions) => {
      const restrictions = { scopes: scopesOf(scopes), allowedAddresses: rangesOf(allowedAddresses) };
      const made = await onOrganization(
        organization,
        {
          byInterface: async (server) => {
            const { data, key } = await server.call('createManagementKey', {
              body: {
                name,
                scopes: restrictions.scopes,
                allowed_addresses: restrictions.allowedAddresses,
                ...(user !== undefined && { creator_user_id: user }),
              },
            });
            return { organizationId: await server.organizationId(), userId: data.creator_user_id, plaintext: key };
          },
          byDatabase: async (context, organizationId) => {
            const { userId } = await memberOf(context, organizationId, user);
            const { plaintext } = await context
              .get(KeysService)
              .issue(COMMAND_LINE, { kind: 'management_key', organizationId, userId, name, ...restrictions });
            return { organizationId, userId, plaintext };
          },
        },
        {
          user_not_found: `By the interface a key is of the owner of GATEHOUSE_KEY, or of a service account: ${user} is neither.`,
        },
      );
      printResult(
        options,
        { organization_id: made.organizationId, user_id: made.userId, management_key: made.plaintext },
        `Organization    ${made.organizationId}`,
        `User            ${made.userId}`,
        `Management key  ${made.plaintext}`,
        '                Keep it now: it is not shown again.',
      );
    });
}

/** @throws UsageError for what is no permission */
function scopesOf(text: string | undefined): Permission[] | null {
  if (text === undefined) return null;
  return itemsOf(text).map((item) => {
    const known = SCOPES.find((permission) => permission === item);
    if (known === undefined) throw new UsageError(`${item} is no permission: there are ${SCOPES.join(', ')}.`);
    return known;
  });
}

/** @throws UsageError for what is no range of addresses, and for too many */
function rangesOf(text: string | undefined): string[] | null {
  if (text === undefined) return null;
  const ranges = itemsOf(text).map((item) => {
    const parsed = parseAllowedRange(item);
    if ('issue' in parsed) throw new UsageError(`${item} ${parsed.issue}.`);
    return parsed.range;
  });
  if (ranges.length > MAXIMUM_ALLOWED_ADDRESSES) {
    throw new UsageError(`A key is bound to ${MAXIMUM_ALLOWED_ADDRESSES} ranges at most.`);
  }
  return ranges;
}

/** The items of a list with commas, each once. @throws UsageError for an empty one */
function itemsOf(text: string): string[] {
  const items = [...new Set(text.split(',').map((item) => item.trim()))];
  if (items.includes('')) throw new UsageError('A list has an empty item.');
  return items;
}
