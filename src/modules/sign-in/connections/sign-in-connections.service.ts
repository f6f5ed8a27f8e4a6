import { Injectable } from '@nestjs/common';
import type { ManagementPrincipal } from '../../../auth/principal.js';
import { withEntityTag } from '../../../http/entity-tags.js';
import { requireNoIssues } from '../../../http/errors/require-all.js';
import { type PageQuery, toPageRequest, toPageResponse } from '../../../http/pagination/pagination.js';
import { Precondition } from '../../../http/precondition.js';
import { isUuid, newUuid } from '../../../persistence/identifiers.js';
import { Statements, type Transaction } from '../../../persistence/statements.js';
import { EncryptionState } from '../../encryption/encryption-state.js';
import { Quotas } from '../../organization-limits/quotas.js';
import type {
  CreateSignInConnectionRequest,
  DeleteSignInConnectionResponse,
  ListSignInConnectionsResponse,
  SignInConnection,
  SignInConnectionPath,
  SignInConnectionResponse,
  UpdateSignInConnectionRequest,
} from '../dto/sign-in-connection.dto.js';
import type { SignInConnectionEntity } from '../entities/sign-in-connection.entity.js';
import { IdentityLinksService } from '../identities/identity-links.service.js';
import { OidcClients } from '../oidc/oidc-clients.js';
import { SessionsRepository } from '../sessions/sessions.repository.js';
import {
  INVALID_ISSUER,
  OPENID_SCOPE_MISSING,
  ROLE_CLAIM_INCOMPLETE,
  SignInConnectionNotFound,
} from '../sign-in.errors.js';
import { EncryptedClientSecrets } from './encrypted-client-secrets.js';
import { SIGN_IN_CONNECTIONS, SIGN_IN_CONNECTIONS_PAGE } from './sign-in-connections.repository.js';
import { shownTimes } from '../../../persistence/rows/wire-fields.js';

/** The identity providers of organizations (docs/interface/sign-in.md#identity-providers). */
@Injectable()
export class SignInConnectionsService {
  constructor(
    private readonly encrypted: EncryptedClientSecrets,
    private readonly encryption: EncryptionState,
    private readonly clients: OidcClients,
    private readonly statements: Statements,
    private readonly quotas: Quotas,
    private readonly links: IdentityLinksService,
    private readonly sessions: SessionsRepository,
  ) {}

  /**
   * Adds an identity provider. It is asked whether it is the issuer that was entered; one that gives no answer now is added all the same,
   * and asked with the first sign-in.
   *
   * @throws BadRequestError for an issuer that may not be asked, or is another one than the provider states, for scopes without `openid`, for one of `role_claim`
   *   and `admin_values`, and beyond the quota
   * @throws SignInConnectionExists, EncryptionKeyMismatch
   */
  async create(caller: ManagementPrincipal, input: CreateSignInConnectionRequest): Promise<SignInConnectionResponse> {
    const { organizationId } = caller;
    await this.quotas.requireBelowQuota(organizationId, SIGN_IN_CONNECTIONS.quota);
    const binding = { organizationId, id: newUuid(), issuer: input.issuer, clientId: input.client_id };
    const secret = input.client_secret ?? null;
    const row = {
      ...binding,
      ...SIGN_IN_CONNECTIONS.made(input),
      updatedAt: null,
    };
    const issue = this.clients.issueOfIssuer(input.issuer);
    requireNoIssues(issue === undefined ? [] : [INVALID_ISSUER.at('issuer', issue)]);
    requireConsistent(row);
    const stated = await this.clients.issueOfStatedIssuer({
      issuer: input.issuer,
      clientId: input.client_id,
      clientSecret: secret,
    });
    requireNoIssues(stated === undefined ? [] : [INVALID_ISSUER.at('issuer', stated)]);
    if (secret !== null) await this.encryption.assertFits();
    const encryptedClientSecret = secret === null ? null : this.encrypted.encrypted(binding, secret);
    return shown(await SIGN_IN_CONNECTIONS.create(this.statements, caller, { ...row, encryptedClientSecret }));
  }

  /** Lists the identity providers of the organization, oldest first. */
  async list({ organizationId }: ManagementPrincipal, input: PageQuery): Promise<ListSignInConnectionsResponse> {
    const page = await this.statements.page(SIGN_IN_CONNECTIONS_PAGE, [organizationId], toPageRequest(input));
    return toPageResponse(page, toSignInConnectionResponse);
  }

  /** @throws SignInConnectionNotFound also for an id that is not a UUID */
  async get({ organizationId }: ManagementPrincipal, { id }: SignInConnectionPath): Promise<SignInConnectionResponse> {
    return shown(await SIGN_IN_CONNECTIONS.get(this.statements, organizationId, id));
  }

  /**
   * Changes the fields in the request; without a change nothing is written.
   *
   * @throws SignInConnectionNotFound, PreconditionFailed, EncryptionKeyMismatch
   * @throws BadRequestError as `create`
   */
  async update(
    caller: ManagementPrincipal,
    input: SignInConnectionPath & UpdateSignInConnectionRequest,
    precondition = Precondition.NONE,
  ): Promise<SignInConnectionResponse> {
    if (!isUuid(input.id)) throw new SignInConnectionNotFound();
    if (typeof input.client_secret === 'string') await this.encryption.assertFits();
    const changed = await this.statements.transaction((tx) => this.change(tx, caller, { ...input, precondition }));
    return shown(changed);
  }

  /**
   * Deletes an identity provider: the sessions that began with it end, and so does what a directory has said of its people.
   *
   * @throws SignInConnectionNotFound, PreconditionFailed
   */
  async delete(
    caller: ManagementPrincipal,
    { id }: SignInConnectionPath,
    precondition = Precondition.NONE,
  ): Promise<DeleteSignInConnectionResponse> {
    if (!isUuid(id)) throw new SignInConnectionNotFound();
    const { organizationId } = caller;
    return this.statements.transaction(async (tx) => {
      const { issuer } = await SIGN_IN_CONNECTIONS.hold(tx, organizationId, id, precondition);
      await SIGN_IN_CONNECTIONS.remove(tx, caller, id);
      await this.links.directoryEnded(tx, caller, { organizationId, issuer });
      return { deleted: true };
    });
  }

  private async change(
    tx: Transaction,
    caller: ManagementPrincipal,
    input: SignInConnectionPath & UpdateSignInConnectionRequest & { readonly precondition: Precondition },
  ): Promise<SignInConnectionEntity> {
    const before = await SIGN_IN_CONNECTIONS.hold(tx, caller.organizationId, input.id, input.precondition);
    const after = {
      ...SIGN_IN_CONNECTIONS.changed(before, input),
      encryptedClientSecret: this.secretAfter(before, input.client_secret),
    };
    requireConsistent(after);
    const besides = typeof input.client_secret === 'string' ? { client_secret: {} } : undefined;
    const stored = await SIGN_IN_CONNECTIONS.update(tx, caller, before, after, { besides });
    await this.endWhatBelongsTo(tx, caller, before, after);
    return stored;
  }

  /** Ends the sessions of a provider that is disabled, and what a directory has said by a claim that does not count any more. */
  private async endWhatBelongsTo(
    tx: Transaction,
    caller: ManagementPrincipal,
    before: SignInConnectionEntity,
    after: SignInConnectionEntity,
  ): Promise<void> {
    const { organizationId, id, issuer } = before;
    const isDisabled = before.enabled && !after.enabled;
    const hasOtherClaim = before.externalIdClaim !== null && before.externalIdClaim !== after.externalIdClaim;
    if (isDisabled) await this.sessions.endThoseOfConnection(tx, organizationId, id);
    if (isDisabled || hasOtherClaim) await this.links.directoryEnded(tx, caller, { organizationId, issuer });
  }

  /** @param requested undefined leaves the secret as it is, null takes it away */
  private secretAfter(before: SignInConnectionEntity, requested: string | null | undefined): Buffer | null {
    if (requested === undefined) return before.encryptedClientSecret;
    return requested === null ? null : this.encrypted.encrypted(before, requested);
  }
}

/** The answer that shows an identity provider. */
function shown(connection: SignInConnectionEntity): SignInConnectionResponse {
  return withEntityTag({ data: toSignInConnectionResponse(connection) }, SIGN_IN_CONNECTIONS.tagOf(connection));
}

function requireConsistent({
  scopes,
  roleClaim,
  adminValues,
}: Pick<SignInConnectionEntity, 'scopes' | 'roleClaim' | 'adminValues'>): void {
  const lacking = roleClaim === null ? 'role_claim' : 'admin_values';
  requireNoIssues([
    ...(scopes.includes('openid') ? [] : [OPENID_SCOPE_MISSING.at('scopes')]),
    ...((roleClaim === null) === (adminValues === null) ? [] : [ROLE_CLAIM_INCOMPLETE.at(lacking)]),
  ]);
}

/** An identity provider as the interface shows it: without its secret. */
function toSignInConnectionResponse(connection: SignInConnectionEntity): SignInConnection {
  const { id, name, issuer, client_id, ...settings } = SIGN_IN_CONNECTIONS.shown(connection);
  const has_client_secret = connection.encryptedClientSecret !== null;
  return { id, name, issuer, client_id, has_client_secret, ...settings, ...shownTimes(connection) };
}
