import { Injectable } from '@nestjs/common';
import type { SessionPrincipal } from '../../../auth/principal.js';
import { AttemptLimiter } from '../../../concurrency/attempt-limiter.js';
import { RedisConnection } from '../../../concurrency/redis-connection.js';
import { Environment } from '../../../config/environment.js';
import { BadRequestError } from '../../../http/errors/bad-request-error.js';
import type { Issue } from '../../../http/errors/issue.js';
import { MemberDeactivated } from '../../../http/errors/request.errors.js';
import { type FormBinding, isFormToken, newFormToken } from '../../../http/pages/form-token.js';
import { Statements } from '../../../persistence/statements.js';
import { AuditTrail } from '../../audit/audit-trail.js';
import { created } from '../../audit/audited-event.js';
import { AuthorizationCodesService, type CallbackClient } from '../codes/authorization-codes.service.js';
import { ConsentRepository, type OwnWorkspace, type Person } from './consent.repository.js';
import {
  answerAddress,
  type ConsentFields,
  type ConsentRefusal,
  type ConsentRequest,
  readConsentRequest,
} from './consent-request.js';
import { codeBytesOf } from './consent-code.js';

/** How many pages a session is shown in a minute. */
const PAGES_PER_MINUTE = 20;
const WINDOW_SECONDS = 60;

/** The operation that an application without a credential has to be able to call. */
const EXCHANGE = 'exchangeAuthCodeForAPIKey';

/** A person who is signed in, with the secret of the session. */
export interface SignedIn {
  readonly session: SessionPrincipal;
  readonly secret: string;
}

/** What a person is asked. */
export interface ConsentQuestion {
  readonly request: ConsentRequest;
  readonly issues: readonly Issue[];
  /** Null for an application that no Connect client is registered for. */
  readonly client: CallbackClient | null;
  readonly person: Person;
  readonly workspaces: readonly OwnWorkspace[];
  /** Whether an application without a credential can do nothing with the code in this deployment. */
  readonly needsOpenExchange: boolean;
  /** For the form. */
  readonly token: string;
}

/** What a person is shown. */
export type ConsentAnswer =
  | { readonly kind: 'question'; readonly question: ConsentQuestion }
  /** The request of the application is wrong: nothing is sent to it. */
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'forbidden' }
  /** The organization has decided that members may not consent. */
  | { readonly kind: 'administrators_only' }
  | { readonly kind: 'too_many'; readonly retryAfterSeconds: number }
  /** The page is too old, or not the one that was shown. */
  | { readonly kind: 'stale' }
  /** The code was used already. */
  | { readonly kind: 'answered' }
  /** The browser goes back to the application. */
  | { readonly kind: 'return'; readonly address: string; readonly isAllowed: boolean }
  | { readonly kind: 'code'; readonly code: string }
  | { readonly kind: 'denied' };

/** Asks people whether an application gets an API key of theirs (docs/interface/consent.md). */
@Injectable()
export class ConsentService {
  private readonly limiter: AttemptLimiter;

  constructor(
    private readonly repository: ConsentRepository,
    private readonly codes: AuthorizationCodesService,
    private readonly statements: Statements,
    private readonly audit: AuditTrail,
    private readonly environment: Environment,
    redis: RedisConnection,
  ) {
    const limit = { attempts: PAGES_PER_MINUTE, windowSeconds: WINDOW_SECONDS };
    this.limiter = new AttemptLimiter({ name: 'consent', ...limit }, redis);
  }

  /** What is wrong with a request before anyone is signed in. @returns undefined for one that can be shown */
  refusalOf(fields: ConsentFields | undefined): string | undefined {
    const reading = readConsentRequest(fields);
    return 'refusal' in reading ? reading.refusal : undefined;
  }

  /** Shows what an application asks for. */
  async ask(person: SignedIn, fields: ConsentFields | undefined): Promise<ConsentAnswer> {
    const retryAfterSeconds = await this.limiter.count(person.session.credentialId);
    if (retryAfterSeconds !== null) return { kind: 'too_many', retryAfterSeconds };
    return this.checked(person, fields, async ({ request, issues }, client, names) =>
      this.question(person, request, issues, client, names),
    );
  }

  /** Does what a person has decided. @param fields of the form */
  async answer(person: SignedIn, fields: ConsentFields | undefined): Promise<ConsentAnswer> {
    return this.checked(person, fields, async ({ request, issues }, client, names) => {
      const binding = bindingOf(person, request);
      const token = fields?.get('token') ?? '';
      if (!isFormToken(token, binding)) return { kind: 'stale' };
      if (fields?.get('decision') !== 'allow') return this.deny(person, request);
      const { organizationId, userId } = person.session;
      const workspaces = await this.repository.workspaces(organizationId, userId);
      const further =
        issues.length > 0 ? issues : [...workspaceIssues(request, workspaces), ...limitIssues(request, names)];
      if (further.length > 0) return this.question(person, request, further, client, names);
      return this.allow(person, request, client, names, codeBytesOf(token, binding));
    });
  }

  private async checked(
    { session }: SignedIn,
    fields: ConsentFields | undefined,
    go: (
      reading: { readonly request: ConsentRequest; readonly issues: readonly Issue[] },
      client: CallbackClient | null,
      names: Person,
    ) => Promise<ConsentAnswer>,
  ): Promise<ConsentAnswer> {
    const reading = readConsentRequest(fields);
    if ('refusal' in reading) return { kind: 'refused', why: reading.refusal };
    if (!session.permissions.has('keys_write')) return { kind: 'forbidden' };
    const [names, client] = await Promise.all([
      this.repository.person(session.organizationId, session.userId),
      this.clientOf(session, reading.request),
    ]);
    if (client !== null && 'refusal' in client) return { kind: 'refused', why: client.refusal };
    if (names === undefined) return { kind: 'forbidden' };
    // Members reach only what is their own.
    if (names.consentBy === 'administrators' && session.onlyOwn) return { kind: 'administrators_only' };
    return go(reading, client, names);
  }

  /** The client that has registered the callback, and why the request is refused for it. */
  private async clientOf(
    { organizationId }: SessionPrincipal,
    { callbackUrl, fixed, hasProof, isLoopback }: ConsentRequest,
  ): Promise<CallbackClient | ConsentRefusal | null> {
    if (callbackUrl === null) return null;
    let client: CallbackClient | null;
    try {
      client = await this.codes.clientOfCallback(organizationId, callbackUrl);
    } catch (error) {
      if (!(error instanceof BadRequestError)) throw error;
      return { refusal: 'callback_url has the origin of a registered application, and is none of its callback URLs.' };
    }
    const { oauth_client_id: clientId } = fixed;
    if (clientId !== undefined && !(await this.codes.isClientOfCallback(organizationId, clientId, callbackUrl))) {
      return { refusal: 'oauth_client_id is not the application that has registered this callback_url.' };
    }
    if (client === null && !hasProof && !isLoopback) {
      return { refusal: 'An application that is not registered needs a code_challenge of the method S256 (RFC 9700).' };
    }
    return client;
  }

  private async question(
    person: SignedIn,
    request: ConsentRequest,
    issues: readonly Issue[],
    client: CallbackClient | null,
    names: Person,
  ): Promise<ConsentAnswer> {
    const { organizationId, userId } = person.session;
    const workspaces = await this.repository.workspaces(organizationId, userId);
    if (workspaces.length === 0) return { kind: 'forbidden' };
    const needsOpenExchange = client === null && !this.environment.anonymousOperations.has(EXCHANGE);
    const token = newFormToken(bindingOf(person, request));
    return {
      kind: 'question',
      question: { request, issues, client, person: names, workspaces, needsOpenExchange, token },
    };
  }

  private async allow(
    person: SignedIn,
    request: ConsentRequest,
    client: CallbackClient | null,
    names: Person,
    random: Buffer,
  ): Promise<ConsentAnswer> {
    const { callbackUrl, code: input, fixed } = request;
    let code: string | undefined;
    try {
      const made = { ...input, ...(callbackUrl !== null && { callback_url: callbackUrl }) };
      code = await this.codes.createOnce(person.session, made, random);
    } catch (error) {
      if (error instanceof MemberDeactivated) return { kind: 'forbidden' };
      // Such as a time that has passed, or a quota.
      if (!(error instanceof BadRequestError)) throw error;
      return this.question(person, request, error.issues, client, names);
    }
    if (code === undefined) return { kind: 'answered' };
    if (callbackUrl === null) return { kind: 'code', code };
    return { kind: 'return', isAllowed: true, address: answerAddress(callbackUrl, { code, state: fixed.state }) };
  }

  private async deny({ session }: SignedIn, { callbackUrl, code, fixed }: ConsentRequest): Promise<ConsentAnswer> {
    const changes = created({ callback_url: callbackUrl, key_label: code.key_label ?? null });
    const event = { action: 'authorization.deny', targetId: session.userId, changes };
    await this.statements.transaction((tx) => this.audit.record(tx, session.organizationId, session, event));
    if (callbackUrl === null) return { kind: 'denied' };
    const address = answerAddress(callbackUrl, { error: 'access_denied', state: fixed.state });
    return { kind: 'return', isAllowed: false, address };
  }
}

function bindingOf({ secret }: SignedIn, { fixed }: ConsentRequest): FormBinding {
  return { sessionSecret: secret, purpose: 'consent', fixed };
}

/** A key can only be in a workspace of the person. */
function workspaceIssues({ code }: ConsentRequest, workspaces: readonly OwnWorkspace[]): Issue[] {
  const { workspace_id: wanted } = code;
  const isOwn =
    wanted === undefined ? workspaces[0]?.isDefault : workspaces.some(({ id }) => id === wanted.toLowerCase());
  return isOwn === true ? [] : [{ path: 'workspace_id', message: 'is none of your workspaces' }];
}

/** A key has the limit that the organization wants, or a lower one. */
function limitIssues({ code }: ConsentRequest, { maximumLimit }: Person): Issue[] {
  if (maximumLimit === null || (code.limit !== undefined && code.limit <= maximumLimit)) return [];
  return [{ path: 'limit', message: `has to be there, and to be at most ${maximumLimit}` }];
}
