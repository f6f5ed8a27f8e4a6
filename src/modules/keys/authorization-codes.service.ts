import { Injectable } from '@nestjs/common';
import type { ManagementPrincipal, Principal } from '../../auth/principal.js';
import { newUuid } from '../../database/identifiers.js';
import { BadRequestError } from '../../http/errors/domain-error.js';
import type { Issue, ReasonedIssue } from '../../http/errors/issue.js';
import { Quotas } from '../../limits/quotas.js';
import { OrganizationsService } from '../organizations/organizations.service.js';
import { WorkspacesService } from '../workspaces/workspaces.service.js';
import {
  AUTHORIZATION_CODES_QUOTA,
  AuthorizationCodesRepository,
  OAUTH_APPLICATIONS_QUOTA,
} from './authorization-codes.repository.js';
import { verifierFits } from './code-challenge.js';
import { ConnectClientsRepository } from './connect-clients.repository.js';
import type { CreateAuthKeysCodeRequest } from './dto/create-code-request.dto.js';
import type { CreateAuthKeysCodeResponse } from './dto/create-code-response.dto.js';
import type { ExchangeAuthCodeRequest } from './dto/exchange-code-request.dto.js';
import type { ExchangeAuthCodeResponse } from './dto/exchange-code-response.dto.js';
import type { AuthorizationCodeEntity } from './entities/authorization-code.entity.js';
import { ExpiryRepository } from './expiry.repository.js';
import { hashSecret, issueAuthorizationCode } from './key-format.js';
import {
  AuthorizationCodeExpired,
  CodeChallengeMismatch,
  InvalidAuthorizationCode,
  InvalidCodeVerifier,
  NO_WORKSPACE_FOR_KEY,
  UNKNOWN_USER,
  UNREGISTERED_CALLBACK_URL,
} from './keys.errors.js';
import { KEYS_QUOTA, KeysRepository } from './keys.repository.js';
import { newKeyRow } from './new-key.js';

const DEFAULT_KEY_NAME = 'OAuth key';

/** The authorization code grant with PKCE (RFC 6749, section 4.1; RFC 7636), whose result is an API key. */
@Injectable()
export class AuthorizationCodesService {
  constructor(
    private readonly codes: AuthorizationCodesRepository,
    private readonly keysRepository: KeysRepository,
    private readonly clients: ConnectClientsRepository,
    private readonly expiries: ExpiryRepository,
    private readonly organizations: OrganizationsService,
    private readonly workspaces: WorkspacesService,
    private readonly quotas: Quotas,
  ) {}

  /**
   * Makes a code, once the user has agreed on the deployment's consent page. A code for a callback URL that a Connect
   * client has registered is issued to that client.
   *
   * @throws BadRequestError for a user or workspace that is not the organization's, without a default workspace, and for a
   * callback URL that is of a client's origin and none of its URLs; `quota_exceeded` for one code too many, and for one
   * origin too many
   */
  async create(caller: ManagementPrincipal, input: CreateAuthKeysCodeRequest): Promise<CreateAuthKeysCodeResponse> {
    const { organizationId } = caller;
    const { origin } = new URL(input.callback_url);
    const [issues, clientId, isKnownApplication] = await Promise.all([
      this.faultsOf(organizationId, input),
      this.clients.idOfCallback(organizationId, input.callback_url),
      this.codes.hasApplication(organizationId, origin),
    ]);
    if (clientId === null) issues.push(UNREGISTERED_CALLBACK_URL);
    if (issues.length > 0) throw BadRequestError.of(issues);
    await this.quotas.requireRoom(organizationId, AUTHORIZATION_CODES_QUOTA);
    if (!isKnownApplication) await this.quotas.requireRoom(organizationId, OAUTH_APPLICATIONS_QUOTA);
    const { plaintext, hash } = issueAuthorizationCode();
    const code = {
      id: newUuid(),
      codeHash: hash,
      organizationId,
      userId: input.user_id ?? caller.userId,
      connectClientId: clientId ?? null,
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
    const created = await this.codes.create(caller, code, origin);
    const { applicationNumber, createdAt } = created;
    return { data: { id: plaintext, app_id: applicationNumber, created_at: createdAt.toISOString() } };
  }

  /**
   * Exchanges a code for an API key (SERVICE.md, section 4.3). It works once, also when two callers try at the same time;
   * a refused attempt does not use it up.
   *
   * @throws InvalidAuthorizationCode, AuthorizationCodeExpired, InvalidCodeVerifier
   * @throws CodeChallengeMismatch where verifier or method are not what the stored challenge asks for
   * @throws BadRequestError where the key would be in the default workspace, and that is deleted
   */
  async exchange(caller: Principal, input: ExchangeAuthCodeRequest): Promise<ExchangeAuthCodeResponse> {
    const codeHash = hashSecret(input.code);
    const code = await this.codes.find(codeHash);
    if (code === undefined || !mayExchange(caller, code)) throw new InvalidAuthorizationCode();
    if (code.usedAt !== null) return this.refuseReplay(caller, code);
    if (code.isExpired) throw new AuthorizationCodeExpired();
    requireFittingChallenge(code, input);
    await this.quotas.requireRoom(code.organizationId, KEYS_QUOTA);
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
    if (await this.codes.redeem(caller, code.id, row)) return { key: plaintext, user_id: code.userId };
    const now = await this.codes.find(codeHash);
    // A Connect client or workspace that was deleted meanwhile has taken its codes along.
    if (now === undefined) throw new InvalidAuthorizationCode();
    if (now.usedAt === null && now.workspaceId === null) throw BadRequestError.of([NO_WORKSPACE_FOR_KEY]);
    // Another attempt was faster, which makes this one a replay.
    return this.refuseReplay(caller, now);
  }

  /**
   * A replayed code without a challenge may have been stolen, and with it the key, which is disabled (RFC 9700, section
   * 2.1.1). Where there was a challenge only the holder of the verifier got the key.
   */
  private async refuseReplay(caller: Principal, code: AuthorizationCodeEntity): Promise<never> {
    if (code.codeChallenge === null && code.issuedKeyId !== null) {
      await this.keysRepository.disableKey(caller, code.organizationId, code.issuedKeyId);
    }
    throw new InvalidAuthorizationCode();
  }

  private async faultsOf(organizationId: string, input: CreateAuthKeysCodeRequest): Promise<ReasonedIssue[]> {
    const [isMember, workspaceId, expiryFaults] = await Promise.all([
      input.user_id === undefined || this.organizations.isMember(organizationId, input.user_id),
      this.workspaces.idFor(organizationId, input.workspace_id),
      this.expiries.faultsOf(input.expires_at),
    ]);
    const memberFaults = isMember ? [] : [UNKNOWN_USER];
    return [...memberFaults, ...(typeof workspaceId === 'string' ? [] : [workspaceId]), ...expiryFaults];
  }
}

function mayExchange(caller: Principal, code: AuthorizationCodeEntity): boolean {
  if (caller.kind !== 'anonymous' && caller.organizationId !== code.organizationId) return false;
  if (code.connectClientId === null) return true;
  return caller.kind === 'client_secret' && caller.connectClientId === code.connectClientId;
}

/** Holds an attempt against the stored challenge, which alone decides. */
function requireFittingChallenge(code: AuthorizationCodeEntity, input: ExchangeAuthCodeRequest): void {
  const { codeChallenge: challenge, codeChallengeMethod: method } = code;
  const { code_verifier: verifier, code_challenge_method: claimedMethod } = input;
  const issues: Issue[] = [];
  if (claimedMethod !== undefined && claimedMethod !== method) {
    issues.push({ path: 'code_challenge_method', message: 'is not the method of the code challenge' });
  }
  if (challenge === null && verifier !== undefined) {
    issues.push({ path: 'code_verifier', message: 'was sent, but there was no code challenge' });
  }
  if (challenge !== null && verifier === undefined) issues.push({ path: 'code_verifier', message: 'is required' });
  if (issues.length > 0) throw new CodeChallengeMismatch(issues);
  if (challenge === null || method === null || verifier === undefined) return;
  if (!verifierFits(verifier, challenge, method)) throw new InvalidCodeVerifier();
}
