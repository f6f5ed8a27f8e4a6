import { createInterface } from 'node:readline/promises';
import { Command } from 'commander';
import { UsageError } from '../bootstrap/usage-error.js';
import { type Administrator, InstallationService } from '../modules/installation/installation.service.js';
import { type OrganizationOverview, OrganizationsService } from '../modules/organizations/organizations.service.js';
import { withApplicationContext } from './application-context.js';
import { type JsonOption, printResult, withJson } from './output.js';

interface InitOptions extends JsonOption {
  readonly organization?: string;
  readonly name?: string;
  readonly email?: string;
  readonly yes?: boolean;
}

/** The name of an organization that was given none. */
const DEFAULT_NAME = 'Default organization';

/**
 * `gatehouse init`: creates an organization with its administrator, default workspace and management key. Beside another
 * organization it does so only if it is told a name or an address, or asks first.
 */
export function initCommand(): Command {
  return withJson(new Command('init'))
    .option('--organization <name>', `the name of the organization (default: ${DEFAULT_NAME})`)
    .option('--name <name>', 'the name of the administrator (default: Administrator)')
    .option('--email <address>', 'the email address of the administrator (default: administrator@localhost)')
    .option('--yes', 'do not ask, also if there is an organization already')
    .action(async ({ organization, name, email, yes, ...options }: InitOptions) => {
      const isDecided = yes === true || [organization, name, email].some((value) => value !== undefined);
      const made = await withApplicationContext(async (context) => {
        const others = isDecided ? [] : await context.get(OrganizationsService).overview();
        const administrator: Administrator = {
          organizationName: organization ?? (others.length === 0 ? DEFAULT_NAME : await askedName(others, options)),
          name: name ?? 'Administrator',
          email: email ?? 'administrator@localhost',
        };
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

/**
 * Asks for the name of a further organization.
 *
 * @throws UsageError where no one can be asked, or no name is given
 */
async function askedName(others: readonly OrganizationOverview[], { json }: JsonOption): Promise<string> {
  const [first] = others;
  const more = others.length === 1 ? '' : ` and ${others.length - 1} more`;
  const there = `There is ${first!.name} (${first!.id})${more} already.`;
  if (json === true || !process.stdin.isTTY || !process.stderr.isTTY) {
    throw new UsageError(
      `${there} To create another organization: gatehouse init --organization NAME. For a key of the one that there is: gatehouse management-key`,
    );
  }
  // Standard output is only for the result.
  const questions = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const name = await questions.question(`${there}\nThe name of another one to create (empty: none): `);
    if (name.trim() === '') throw new UsageError('Nothing was created.');
    return name.trim();
  } finally {
    questions.close();
  }
}
