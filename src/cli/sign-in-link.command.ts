import { Command } from 'commander';
import { COMMAND_LINE } from '../modules/audit/audit-trail.js';
import { SignInLinksService } from '../modules/sign-in/links/sign-in-links.service.js';
import { withApplicationContext } from './application-context.js';
import { memberOf, type OrganizationOptions, withOrganization } from './organization-option.js';
import { printResult } from './output.js';

interface SignInLinkOptions extends OrganizationOptions {
  readonly user?: string;
}

/** `gatehouse sign-in-link`: signs a member in without an identity provider. */
export function signInLinkCommand(): Command {
  return withOrganization(new Command('sign-in-link'))
    .option('--user <id>', 'the member (default: the oldest administrator)')
    .action(async ({ organization, user, ...options }: SignInLinkOptions) => {
      const made = await withApplicationContext(async (context, environment) => {
        const { organizationId, userId } = await memberOf(context, organization, user);
        const path = await context.get(SignInLinksService).create(COMMAND_LINE, organizationId, userId);
        const publicUrl = environment.publicUrl ?? `http://localhost:${environment.port}`;
        return { organizationId, userId, url: publicUrl + path };
      });
      printResult(
        options,
        { organization_id: made.organizationId, user_id: made.userId, url: made.url },
        `Organization  ${made.organizationId}`,
        `User          ${made.userId}`,
        `Sign in       ${made.url}`,
        '              Once, within ten minutes.',
      );
    });
}
