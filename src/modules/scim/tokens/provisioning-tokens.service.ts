import { Injectable } from '@nestjs/common';
import type { ManagementPrincipal } from '../../../auth/principal.js';
import { entityTagOf, withEntityTag } from '../../../http/entity-tags.js';
import { Precondition } from '../../../http/precondition.js';
import { isUuid, newUuid } from '../../../persistence/identifiers.js';
import { Statements } from '../../../persistence/statements.js';
import { BadRequestError } from '../../../http/errors/bad-request-error.js';
import { type Actor, AuditTrail } from '../../audit/audit-trail.js';
import { created, deleted } from '../../audit/audited-event.js';
import { issueSecret } from '../../keys/credentials/key-format.js';
import type {
  CreateProvisioningTokenRequest,
  IssuedProvisioningTokenResponse,
  ListProvisioningTokensResponse,
  ProvisioningTokenPath,
  RevokeProvisioningTokenResponse,
  RotateProvisioningTokenRequest,
} from '../dto/provisioning-token.dto.js';
import type { ProvisioningTokenEntity } from '../entities/provisioning-token.entity.js';
import { DirectoryHooks } from '../provisioning/directory-hooks.js';
import { ProvisioningTokenNotFound, TooManyProvisioningTokens } from '../scim.errors.js';
import { toProvisioningTokenResponse } from '../scim.mapper.js';
import { type NewProvisioningToken, ProvisioningTokensRepository } from './provisioning-tokens.repository.js';

/** As many as a rotation without a gap needs: the directory has the one, and gets the other. */
const MAXIMUM_LIVE_TOKENS = 2;

/** A token to make. */
export interface NewToken {
  readonly name: string;
  /** The issuer of the people whom the directory provisions; null for none. */
  readonly issuer: string | null;
  /** Null for never. */
  readonly expiresAt: Date | null;
}

/** A token as it is made: its secret is known now only. */
export interface IssuedToken {
  readonly token: ProvisioningTokenEntity;
  readonly plaintext: string;
}

/** The credentials of directories (docs/interface/scim-provisioning.md#tokens). */
@Injectable()
export class ProvisioningTokensService {
  constructor(
    private readonly repository: ProvisioningTokensRepository,
    private readonly statements: Statements,
    private readonly audit: AuditTrail,
    private readonly directories: DirectoryHooks,
  ) {}

  /**
   * Creates a token.
   *
   * @throws BadRequestError for an expiry that has passed
   * @throws TooManyProvisioningTokens when the organization has two that have not expired
   */
  async create(
    caller: ManagementPrincipal,
    { name, issuer = null, expires_at: expiresAt }: CreateProvisioningTokenRequest,
  ): Promise<IssuedProvisioningTokenResponse> {
    const wanted = { name, issuer, expiresAt: expiresAt == null ? null : new Date(expiresAt) };
    return responseOf(await this.issue(caller, caller.organizationId, wanted));
  }

  /** Lists the tokens, oldest first, without their secrets. */
  async list({ organizationId }: ManagementPrincipal): Promise<ListProvisioningTokensResponse> {
    return { data: (await this.all(organizationId)).map(toProvisioningTokenResponse) };
  }

  /**
   * Gives a token a new secret. The old one is accepted until the grace period ends; an even older one is not.
   *
   * @throws ProvisioningTokenNotFound
   */
  async rotate(
    caller: ManagementPrincipal,
    { id, grace_seconds: graceSeconds = 0 }: ProvisioningTokenPath & RotateProvisioningTokenRequest,
  ): Promise<IssuedProvisioningTokenResponse> {
    const { organizationId } = caller;
    const issued = issueSecret('provisioning_token', organizationId);
    return this.statements.transaction(async (tx) => {
      await this.repository.lock(tx, organizationId);
      const token = isUuid(id) ? await this.repository.find(tx, organizationId, id) : undefined;
      if (token === undefined) throw new ProvisioningTokenNotFound();
      await this.repository.rotate(tx, token, issued, graceSeconds);
      const changes = { grace_seconds: { after: graceSeconds } };
      const event = { action: 'provisioning_token.rotate', targetId: token.id, changes };
      await this.audit.record(tx, organizationId, caller, event);
      return responseOf({ token: { ...token, label: issued.label }, plaintext: issued.plaintext });
    });
  }

  /**
   * Revokes a token at once, with the one that it replaces.
   *
   * @throws ProvisioningTokenNotFound, PreconditionFailed
   */
  async revoke(
    caller: ManagementPrincipal,
    { id }: ProvisioningTokenPath,
    precondition = Precondition.NONE,
  ): Promise<RevokeProvisioningTokenResponse> {
    await this.remove(caller, caller.organizationId, id, precondition);
    return { deleted: true };
  }

  /** Every token of an organization, oldest first. */
  async all(organizationId: string): Promise<ProvisioningTokenEntity[]> {
    return this.repository.all(organizationId);
  }

  /** Makes a token. @throws BadRequestError, TooManyProvisioningTokens as {@link create} does */
  async issue(actor: Actor, organizationId: string, { name, issuer, expiresAt }: NewToken): Promise<IssuedToken> {
    const { plaintext, hash, label } = issueSecret('provisioning_token', organizationId);
    const none = { previousHash: null, previousHashExpiresAt: null, lastUsedAt: null };
    const token = { id: newUuid(), organizationId, name, label, hash, issuer, expiresAt, ...none };
    return this.statements.transaction(async (tx) => {
      await this.repository.lock(tx, organizationId);
      const { live, isPast } = await this.repository.liveBeside(tx, organizationId, expiresAt);
      if (isPast) throw BadRequestError.of([{ path: 'expires_at', message: 'must lie in the future' }]);
      if (live >= MAXIMUM_LIVE_TOKENS) throw new TooManyProvisioningTokens({ limit: MAXIMUM_LIVE_TOKENS });
      await this.repository.deleteExpired(tx, organizationId);
      const event = {
        action: 'provisioning_token.create',
        targetId: token.id,
        changes: created(toAuditedToken(token)),
      };
      return { token: await this.repository.insert(tx, token, actor, event), plaintext };
    });
  }

  /** Deletes a token. With the last one of an issuer, what directories have said of its people ends. @throws ProvisioningTokenNotFound, PreconditionFailed */
  async remove(actor: Actor, organizationId: string, id: string, precondition = Precondition.NONE): Promise<void> {
    await this.statements.transaction(async (tx) => {
      // A rotation makes another token of it, so it waits, or this waits for it.
      await this.repository.lock(tx, organizationId);
      const token = isUuid(id) ? await this.repository.find(tx, organizationId, id) : undefined;
      if (token === undefined) throw new ProvisioningTokenNotFound();
      precondition.require(tagOf(token));
      await this.repository.delete(tx, organizationId, id);
      const changes = deleted(toAuditedToken(token));
      const event = { action: 'provisioning_token.revoke', targetId: token.id, changes };
      await this.audit.record(tx, organizationId, actor, event);
      const { issuer } = token;
      if (issuer !== null && !(await this.repository.isIssuerNamed(tx, organizationId, issuer))) {
        await this.directories.directoryEnded(tx, actor, { organizationId, issuer });
      }
    });
  }
}

function responseOf({ token, plaintext }: IssuedToken): IssuedProvisioningTokenResponse {
  return withEntityTag({ data: toProvisioningTokenResponse(token), token: plaintext }, tagOf(token));
}

/** The entity tag of a token, which a rotation changes too (docs/interface/conventions.md#conditional-requests). */
function tagOf(token: ProvisioningTokenEntity): string {
  return entityTagOf(token.id, toAuditedToken(token));
}

function toAuditedToken({ name, label, issuer, expiresAt }: NewProvisioningToken): Record<string, unknown> {
  return { name, label, issuer, expires_at: expiresAt?.toISOString() ?? null };
}
