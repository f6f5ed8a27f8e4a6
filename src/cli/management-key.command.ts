import { Command } from 'commander';
import { COMMAND_LINE } from '../modules/audit/index.js';
import { KeysService } from '../modules/keys/index.js';
import { withApplicationContext } from './application-context.js';
import { memberOf, type OrganizationOptions, withOrganization } from './organization-option.js';
import { printResult } from './output.js';

interface ManagementKeyOptions extends OrganizationOptions {
  readonly user?: string;
  readonly name: string;
}

/** `gatehouse management-key`: restores access for an organization that has lost its keys. */
export function managementKeyCommand(): Command {
  return withOrganization(new Command('management-key'))
    .description('create another management key for an organization')
    .option('--user <id>', 'the member who owns the key (default: the oldest administrator)')
    .option('--name <name>', 'the name of the key', 'Management key')
    .action(async ({ organization, user, name, ...options }: ManagementKeyOptions) => {
      const made = await withApplicationContext(async (context) => {
        const { organizationId, userId } = await memberOf(context, organization, user);
        const { plaintext } = await context
          .get(KeysService)
          .issue(COMMAND_LINE, { kind: 'management_key', organizationId, userId, name });
        return { organizationId, userId, plaintext };
      });
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
