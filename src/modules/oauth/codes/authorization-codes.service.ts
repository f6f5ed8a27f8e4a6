import { Injectable } from '@nestjs/common';
import type { ManagementPrincipal, Principal } from '../../../auth/principal.js';
import { errorCode } from '../../../persistence/database-failures.js';
import { isUuid, newUuid } from '../../../persistence/identifiers.js';
import { BadRequestError } from '../../../http/errors/bad-request-error.js';
import { CredentialKindNotAllowed, MemberDeactivated } from '../../../http/errors/request.errors.js';
import type { IssueWithReason } from '../../../http/errors/issue.js';
import { requireAll, requireNoIssues } from '../../../http/errors/require-all.js';
import {
  composeSecret,
  type IssuedSecret,
  issueSecret,
  readAuthorizationCode,
} from '../../keys/credentials/key-format.js';
import { ExpiryRepository } from '../../keys/credentials/expiry.repository.js';
import { KEYS_QUOTA } from '../../keys/keys.repository.js';
import { KeysService } from '../../keys/keys.service.js';
import { newKeyRow } from '../../keys/new-key.js';
import { Quotas } from '../../organization-limits/quotas.js';
import { OrganizationsService } from '../../organizations/organizations.service.js';
import { UNKNOWN_USER } from '../../organizations/organizations.errors.js';
import { WorkspaceLookupService } from '../../workspaces/workspace-lookup.service.js';
import {
  AUTHORIZATION_CODES_QUOTA,
  AuthorizationCodesRepository,
  OAUTH_APPLICATIONS_QUOTA,
} from './authorization-codes.repository.js';
import { verifierFits } from './code-challenge.js';
import { type CallbackRegistration, ConnectClientsRepository } from '../clients/connect-clients.repository.js';
import type {
  CreateAuthKeysCodeRequest,
  CreateAuthKeysCodeResponse,
  ExchangeAuthCodeRequest,
  ExchangeAuthCodeResponse,
} from './authorization-code.dto.js';
import type { AuthorizationCodeEntity } from '../entities/authorization-code.entity.js';
import {
  AuthorizationCodeExpired,
  CODE_CHALLENGE_MISMATCH,
  InvalidAuthorizationCode,
  InvalidCodeVerifier,
  NO_WORKSPACE_FOR_KEY,
  UNREGISTERED_CALLBACK_URL,
} from '../oauth.errors.js';

const DEFAULT_KEY_NAME = 'OAuth key';

/** In place of the callback of a code that is shown on the screen, to be copied into a program (RFC 8252, appendix B). */
const SHOWN_ON_SCREEN = 'urn:ietf:wg:oauth:2.0:oob';

/** The SQLSTATE of a row whose key is there already. */
const UNIQUE_VIOLATION = '23505';

/** A code that a consent page makes. */
export type NewCodeOnce = Omit<CreateAuthKeysCodeRequest, 'callback_url'> & { readonly callback_url?: string };

/** The Connect client of a callback URL. */
export interface CallbackClient {
  readonly id: string;
  readonly name: string;
}

/** The authorization code grant with PKCE (RFC 6749, section 4.1; RFC 7636), whose result is an API key. */
@Injectable()
export class AuthorizationCodesService {
  constructor(
    private readonly codes: AuthorizationCodesRepository,
    private readonly keys: KeysService,
    private readonly clients: ConnectClientsRepository,
    private readonly expiries: ExpiryRepository,
    private readonly organizations: OrganizationsService,
    private readonly workspaces: WorkspaceLookupService,
    private readonly quotas: Quotas,
  ) {}

  /**
   * Creates a code after the user agreed on the deployment's consent page. A code for a callback URL of a Connect
   * client is issued to that client.
   *
   * @throws BadRequestError for an unknown user or workspace, for a deleted default workspace, for an unregistered
   *   callback URL with the origin of a Connect client, and beyond the quotas of codes and applications
   */
  async create(caller: ManagementPrincipal, input: CreateAuthKeysCodeRequest): Promise<CreateAuthKeysCodeResponse> {
    return this.insert(caller, input, issueSecret('authorization_code', caller.organizationId));
  }

  /**
   * Creates the code that some bytes stand for, for the caller, after the caller agreed on the consent page. The same bytes give the same
   * code, however often and at whatever time they come.
   *
   * @param input without a callback for a code that is shown on the screen
   * @param random 32 bytes that no one else knows
   * @returns undefined where the code was used or has expired
   * @throws BadRequestError as `create`
   */
  async createOnce(caller: ManagementPrincipal, input: NewCodeOnce, random: Buffer): Promise<string | undefined> {
    const plaintext = composeSecret('authorization_code', caller.organizationId, random);
    const reference = readAuthorizationCode(plaintext)!;
    if ((await this.codes.find(reference)) === undefined) {
      try {
        await this.insert(caller, { callback_url: SHOWN_ON_SCREEN, ...input }, { plaintext, hash: reference.hash });
        return plaintext;
      } catch (error) {
        // Another request has inserted it meanwhile.
        if (errorCode(error) !== UNIQUE_VIOLATION) throw error;
      }
    }
    const code = await this.codes.find(reference);
    return code?.usedAt === null && !code.isExpired ? plaintext : undefined;
  }

  private async insert(
    caller: ManagementPrincipal,
    input: CreateAuthKeysCodeRequest,
    { plaintext, hash }: Pick<IssuedSecret, 'plaintext' | 'hash'>,
  ): Promise<CreateAuthKeysCodeResponse> {
    const { organizationId } = caller;
    const isForOther = input.user_id !== undefined && input.user_id !== caller.userId;
    if (caller.onlyOwn && isForOther) throw BadRequestError.of([UNKNOWN_USER.at('user_id')]);
    const [, , , registration] = await requireAll([
      input.user_id !== undefined && this.organizations.requireMember(organizationId, input.user_id, 'user_id'),
      this.workspaces.idForCaller(caller, input.workspace_id),
      this.expiries.requireFuture(input.expires_at),
      this.requireRegistration(organizationId, input.callback_url),
    ]);
    // A program on a loopback address is one application, whatever port it has got today.
    const origin = originOf(registration?.url ?? input.callback_url);
    const isKnownApplication = await this.codes.hasApplication(organizationId, origin);
    await this.quotas.requireBelowQuota(organizationId, AUTHORIZATION_CODES_QUOTA);
    if (!isKnownApplication) await this.quotas.requireBelowQuota(organizationId, OAUTH_APPLICATIONS_QUOTA);
    const code = {
      id: newUuid(),
      codeHash: hash,
      organizationId,
      userId: input.user_id ?? caller.userId,
      connectClientId: registration?.clientId ?? null,
      callbackUrl: input.callback_url,
      codeChallenge: input.code_challenge ?? null,
      codeChallengeMethod: input.code_challenge === undefined ? null : (input.code_challenge_method ?? 'plain'),
      workspaceId: input.workspace_id ?? null,
      keyLabel: input.key_label ?? null,
      keyLimitUsd: input.limit ?? null,
      keyLimitReset: input.usage_limit_type ?? null,
      keyExpiresAt: input.expires_at == null ? null : new Date(input.expires_at),
      spawnAgent: input.spawn_agent ?? null,
      spawnCloud: input.spawn_cloud ?? null,
      usedAt: null,
      issuedKeyId: null,
    };
    const created = await this.codes.insert(code, origin, caller);
    if (created === undefined) throw noActiveUser(caller, code.userId);
    const { applicationNumber, createdAt } = created;
    return { data: { id: plaintext, app_id: applicationNumber, created_at: createdAt.toISOString() } };
  }

  /**
   * Exchanges a code for an API key (docs/interface/keys-and-oauth.md#exchange). It works once, also for two callers
   * at the same time; a refused attempt does not use it up.
   *
   * @throws CredentialKindNotAllowed for an access token, which must not become a key that outlives it
   * @throws InvalidAuthorizationCode, AuthorizationCodeExpired, InvalidCodeVerifier
   * @throws BadRequestError where verifier or method do not match the stored challenge
   * @throws BadRequestError where the key would be in the default workspace, which has been deleted
   */
  async exchange(caller: Principal, input: ExchangeAuthCodeRequest): Promise<ExchangeAuthCodeResponse> {
    if (caller.kind === 'api_key' && caller.isOfAccessToken === true) {
      throw new CredentialKindNotAllowed(['management_key', 'api_key', 'client_secret']);
    }
    const reference = readAuthorizationCode(input.code);
    if (reference === undefined) throw new InvalidAuthorizationCode();
    const code = await this.codes.find(reference);
    if (code === undefined || !(await this.mayExchange(caller, code))) throw new InvalidAuthorizationCode();
    if (code.usedAt !== null) return this.refuseReplay(caller, code);
    if (code.isExpired) throw new AuthorizationCodeExpired();
    requireFittingChallenge(code, input);
    await this.quotas.requireBelowQuota(code.organizationId, KEYS_QUOTA);
    const { row, plaintext } = newKeyRow({
      kind: 'api_key',
      organizationId: code.organizationId,
      userId: code.userId,
      name: code.keyLabel ?? DEFAULT_KEY_NAME,
      workspaceId: code.workspaceId,
      connectClientId: caller.kind === 'client_secret' ? caller.connectClientId : null,
      limitUsd: code.keyLimitUsd,
      limitReset: code.keyLimitReset,
      expiresAt: code.keyExpiresAt,
    });
    if (await this.codes.redeem(code.id, row, caller)) return { key: plaintext, user_id: code.userId };
    const now = await this.codes.find(reference);
    // The codes of a Connect client or workspace are deleted with it, and those of a member with the deactivation.
    if (now === undefined) throw new InvalidAuthorizationCode();
    const { organizationId, userId } = now;
    const isOfMember = now.usedAt !== null || (await this.organizations.isMember(organizationId, userId));
    if (!isOfMember) throw new InvalidAuthorizationCode();
    if (now.usedAt === null && now.workspaceId === null) throw BadRequestError.of([NO_WORKSPACE_FOR_KEY.at('code')]);
    // Another exchange was faster, so this one is a replay.
    return this.refuseReplay(caller, now);
  }

  /**
   * A replayed code without a challenge may have been stolen, and with it the key, which is disabled (RFC 9700,
   * section 2.1.1). With a challenge, only the holder of the verifier can have got the key.
   */
  private async refuseReplay(caller: Principal, code: AuthorizationCodeEntity): Promise<never> {
    if (code.codeChallenge === null && code.issuedKeyId !== null) {
      await this.keys.disable(code.organizationId, code.issuedKeyId, caller);
    }
    throw new InvalidAuthorizationCode();
  }

  /**
   * Whether the caller can exchange a code: that of a Connect client by each client that has registered its callback URL, for several may
   * have, and the URL does not tell which of them asked for it.
   */
  private async mayExchange(caller: Principal, code: AuthorizationCodeEntity): Promise<boolean> {
    const { organizationId, connectClientId, callbackUrl } = code;
    if (caller.kind !== 'anonymous' && caller.organizationId !== organizationId) return false;
    if (connectClientId === null) return true;
    if (caller.kind !== 'client_secret') return false;
    if (caller.connectClientId === connectClientId) return true;
    return this.clients.hasCallback(organizationId, caller.connectClientId, callbackUrl);
  }

  /**
   * The Connect client that has registered a callback URL.
   *
   * @returns null when no client has a URL of this origin
   * @throws BadRequestError when one has, but not this one
   */
  async clientOfCallback(organizationId: string, callbackUrl: string): Promise<CallbackClient | null> {
    const id = (await this.requireRegistration(organizationId, callbackUrl))?.clientId;
    const client = id === undefined ? undefined : await this.clients.find(organizationId, id);
    return client === undefined ? null : { id: client.id, name: client.name };
  }

  /** Whether a client has registered a callback URL, as several may have. @param id in any form */
  async isClientOfCallback(organizationId: string, id: string, callbackUrl: string): Promise<boolean> {
    return isUuid(id) && this.clients.hasCallback(organizationId, id, callbackUrl);
  }

  /**
   * @returns undefined when no client has a URL of this origin, nor this one on another port of a loopback address
   * @throws BadRequestError when one has a URL of this origin, but not this one
   */
  private async requireRegistration(
    organizationId: string,
    callbackUrl: string,
  ): Promise<CallbackRegistration | undefined> {
    if (callbackUrl === SHOWN_ON_SCREEN) return undefined;
    const registration = await this.clients.registrationOf(organizationId, callbackUrl);
    if (registration === null) throw BadRequestError.of([UNREGISTERED_CALLBACK_URL.at('callback_url')]);
    return registration;
  }
}

/** The refusal of a code for a user who is no active member any more: perhaps the caller, who has just been deactivated. */
function noActiveUser(caller: ManagementPrincipal, userId: string): Error {
  return userId === caller.userId ? new MemberDeactivated() : BadRequestError.of([UNKNOWN_USER.at('user_id')]);
}

/** What identifies the application of a callback URL. */
function originOf(callbackUrl: string): string {
  return callbackUrl === SHOWN_ON_SCREEN ? callbackUrl : new URL(callbackUrl).origin;
}

/** Checks an exchange against the stored challenge, which alone decides. */
function requireFittingChallenge(code: AuthorizationCodeEntity, input: ExchangeAuthCodeRequest): void {
  const { codeChallenge: challenge, codeChallengeMethod: method } = code;
  const { code_verifier: verifier, code_challenge_method: claimedMethod } = input;
  const issues: IssueWithReason[] = [];
  if (claimedMethod !== undefined && claimedMethod !== method) {
    issues.push(CODE_CHALLENGE_MISMATCH.at('code_challenge_method', 'is not the method of the code challenge'));
  }
  if (challenge === null && verifier !== undefined) {
    issues.push(CODE_CHALLENGE_MISMATCH.at('code_verifier', 'was sent, but there was no code challenge'));
  }
  if (challenge !== null && verifier === undefined) {
    issues.push(CODE_CHALLENGE_MISMATCH.at('code_verifier', 'is required'));
  }
  requireNoIssues(issues);
  if (challenge === null || method === null || verifier === undefined) return;
  if (!verifierFits(verifier, challenge, method)) throw new InvalidCodeVerifier();
}
