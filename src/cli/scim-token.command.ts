import { Command } from 'commander';
import { UsageError } from '../bootstrap/usage-error.js';
import { BadRequestError } from '../http/errors/bad-request-error.js';
import { COMMAND_LINE } from '../modules/audit/audit-trail.js';
import { ProvisioningTokenNotFound, TooManyProvisioningTokens } from '../modules/scim/scim.errors.js';
import { ProvisioningTokensService } from '../modules/scim/tokens/provisioning-tokens.service.js';
import { withApplicationContext } from './application-context.js';
import { organizationIdOf, type OrganizationOptions, withOrganization } from './organization-option.js';
import { printResult } from './output.js';

interface CreateOptions extends OrganizationOptions {
  readonly name: string;
  readonly issuer?: string;
  readonly expires?: string;
}

/** `gatehouse scim token`: the credentials with which directories provision (docs/interface/scim-provisioning.md#tokens). */
export function scimTokenCommand(): Command {
  return new Command('token')
    .description('manage the tokens with which a directory provisions members and groups by SCIM 2.0')
    .addCommand(createCommand())
    .addCommand(listCommand())
    .addCommand(revokeCommand());
}

function createCommand(): Command {
  return withOrganization(new Command('create'))
    .description('create a token; an organization has at most two that have not expired')
    .option('--name <name>', 'the name, such as that of the directory', 'Directory')
    .option('--issuer <url>', 'the issuer that the provisioned people sign in at (default: none)')
    .option('--expires <time>', 'when it expires, as an ISO 8601 time (default: never)')
    .action(async ({ organization, name, issuer, expires, ...options }: CreateOptions) => {
      const expiresAt = expires === undefined ? null : new Date(expires);
      if (expiresAt !== null && Number.isNaN(expiresAt.getTime()))
        throw new UsageError(`${expires} is no ISO 8601 time.`);
      const made = await withTokens(organization, (tokens, organizationId) =>
        tokens.issue(COMMAND_LINE, organizationId, { name, issuer: issuer ?? null, expiresAt }),
      );
      const { id, organizationId } = made.token;
      printResult(
        options,
        { organization_id: organizationId, token_id: id, name, token: made.plaintext },
        `Organization  ${organizationId}`,
        `Token         ${made.plaintext}`,
        '              Keep it now: it is not shown again.',
      );
    });
}

function listCommand(): Command {
  return withOrganization(new Command('list'))
    .description('list the tokens of an organization, oldest first, without their secrets')
    .action(async ({ organization, ...options }: OrganizationOptions) => {
      const tokens = await withTokens(organization, (service, organizationId) => service.all(organizationId));
      const shown = tokens.map(({ id, name, label, expiresAt, lastUsedAt }) => ({
        token_id: id,
        name,
        label,
        expires_at: expiresAt?.toISOString() ?? null,
        last_used_at: lastUsedAt?.toISOString() ?? null,
      }));
      printResult(
        options,
        { tokens: shown },
        ...(shown.length === 0 ? ['There are no tokens.'] : []),
        ...shown.map(
          (token) =>
            `${token.token_id}  ${token.label}  ${token.name}  expires ${token.expires_at ?? 'never'}  last used ${token.last_used_at ?? 'never'}`,
        ),
      );
    });
}

function revokeCommand(): Command {
  return withOrganization(new Command('revoke'))
    .description('end a token at once')
    .argument('<token>', 'the id of the token')
    .action(async (id: string, { organization, ...options }: OrganizationOptions) => {
      await withTokens(organization, (tokens, organizationId) => tokens.remove(COMMAND_LINE, organizationId, id));
      printResult(options, { token_id: id, deleted: true }, `Token ${id} is revoked.`);
    });
}

/** Runs work with the tokens of the organization that the options name. */
async function withTokens<T>(
  organization: string | undefined,
  work: (tokens: ProvisioningTokensService, organizationId: string) => Promise<T>,
): Promise<T> {
  return withApplicationContext(async (context) => {
    const organizationId = await organizationIdOf(context, organization);
    try {
      return await work(context.get(ProvisioningTokensService), organizationId);
    } catch (error) {
      if (error instanceof ProvisioningTokenNotFound) throw new UsageError('There is no such token.');
      if (error instanceof TooManyProvisioningTokens) {
        throw new UsageError('The organization has two tokens that have not expired: revoke one first.');
      }
      if (!(error instanceof BadRequestError)) throw error;
      throw new UsageError(error.issues.map(({ path, message }) => `${path} ${message}`).join('\n'));
    }
  });
}
