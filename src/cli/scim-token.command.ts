import { Command } from 'commander';
import { UsageError } from '../bootstrap/usage-error.js';
import { COMMAND_LINE } from '../modules/audit/audit-trail.js';
import { toProvisioningTokenResponse } from '../modules/scim/scim.mapper.js';
import { ProvisioningTokensService } from '../modules/scim/tokens/provisioning-tokens.service.js';
import { type EitherWayOnOrganization, onOrganization } from './interface/either-way.js';
import { type OrganizationOptions, withOrganization } from './organization-option.js';
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
      const made = await onTokens(organization, {
        byInterface: async (server) => {
          const { data, token } = await server.call('createProvisioningToken', {
            body: { name, issuer: issuer ?? null, expires_at: expiresAt?.toISOString() ?? null },
          });
          return { organizationId: await server.organizationId(), id: data.id, plaintext: token };
        },
        byDatabase: async (context, organizationId) => {
          const wanted = { name, issuer: issuer ?? null, expiresAt };
          const issued = await context.get(ProvisioningTokensService).issue(COMMAND_LINE, organizationId, wanted);
          return { organizationId, id: issued.token.id, plaintext: issued.plaintext };
        },
      });
      const { organizationId } = made;
      printResult(
        options,
        { organization_id: organizationId, token_id: made.id, name, token: made.plaintext },
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
      const tokens = await onTokens(organization, {
        byInterface: async (server) => (await server.call('listProvisioningTokens', {})).data,
        byDatabase: async (context, organizationId) =>
          (await context.get(ProvisioningTokensService).all(organizationId)).map(toProvisioningTokenResponse),
      });
      const shown = tokens.map(({ id, name, label, expires_at, last_used_at }) => ({
        token_id: id,
        name,
        label,
        expires_at,
        last_used_at,
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
      await onTokens<unknown>(organization, {
        byInterface: (server) => server.call('revokeProvisioningToken', { path: { id } }),
        byDatabase: (context, organizationId) =>
          context.get(ProvisioningTokensService).remove(COMMAND_LINE, organizationId, id),
      });
      printResult(options, { token_id: id, deleted: true }, `Token ${id} is revoked.`);
    });
}

/** What refusals mean, by their reasons. */
const SENTENCES = {
  provisioning_token_not_found: 'There is no such token.',
  too_many_provisioning_tokens: 'The organization has two tokens that have not expired: revoke one first.',
};

function onTokens<T>(organization: string | undefined, work: EitherWayOnOrganization<T>): Promise<T> {
  return onOrganization(organization, work, SENTENCES);
}
