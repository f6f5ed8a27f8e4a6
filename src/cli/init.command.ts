import { Command } from 'commander';
import { type Administrator, InstallationService } from '../modules/installation/installation.service.js';
import { withApplicationContext } from './application-context.js';
import { type JsonOption, printResult, withJson } from './output.js';

interface InitOptions extends JsonOption {
  readonly organization: string;
  readonly name: string;
  readonly email: string;
}

/** `gatehouse init`: creates an organization with its administrator, default workspace and management key. */
export function initCommand(): Command {
  return withJson(new Command('init'))
    .description('create an organization with its administrator, its default workspace and a management key')
    .option('--organization <name>', 'the name of the organization', 'Default organization')
    .option('--name <name>', 'the name of the administrator', 'Administrator')
    .option('--email <address>', 'the email address of the administrator', 'administrator@localhost')
    .action(async ({ organization, name, email, ...options }: InitOptions) => {
      const administrator: Administrator = { organizationName: organization, name, email };
      const made = await withApplicationContext(async (context) => {
        const installation = context.get(InstallationService);
        const created = await installation.createOrganization(administrator);
        await installation.ensureCatalog();
        return created;
      });
      printResult(
        options,
        {
          organization_id: made.organizationId,
          user_id: made.userId,
          default_workspace_id: made.workspaceId,
          management_key: made.managementKey,
        },
        `Organization       ${made.organizationId}`,
        `Administrator      ${made.userId}`,
        `Default workspace  ${made.workspaceId}`,
        `Management key     ${made.managementKey}`,
        '                   Keep it now: it is not shown again.',
      );
    });
}
