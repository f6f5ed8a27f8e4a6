import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { CredentialResolver, type Resolution } from '../../../../auth/credential-resolver.js';
import type { ApiKeyPrincipal, RequestOrigin, SessionPrincipal } from '../../../../auth/principal.js';
import { Environment } from '../../../../config/environment.js';
import type { HypotheticalAssignment } from '../../../guardrails/effective-policy/hypothetical-assignment.js';
import { KeyCredentialResolver } from '../../../keys/credentials/key-credential-resolver.js';
import type { KeyOwner } from '../../../keys/credentials/key-owner.js';
import type { SecretInOrganization } from '../../../keys/credentials/key-format.js';
import { type RequestContext, RequestContextRepository } from './request-context.repository.js';

/** The share of the database connections that contexts are read on before a request has a slot. */
const CONNECTIONS_SHARE = 0.25;

/** How many secrets are remembered that were accepted last. */
const ACCEPTED_SECRETS = 10_000;

/**
 * Reads the context of a request together with its credential, in one statement, if the request came whole: a small request then waits
 * for the database once before a provider is asked. Where much is being read, and for requests whose body comes later, the context is
 * read when the request has a slot.
 */
@Injectable()
export class CallerContexts extends CredentialResolver {
  private readonly read = new WeakMap<RequestOrigin, RequestContext>();
  /** By their hashes. */
  private readonly accepted = new LRUCache<string, true>({ max: ACCEPTED_SECRETS });
  private readonly readAtOnce: number;

  constructor(
    private readonly keys: KeyCredentialResolver,
    private readonly contexts: RequestContextRepository,
    { databasePoolSize }: Environment,
  ) {
    super();
    this.readAtOnce = Math.max(1, Math.floor(databasePoolSize * CONNECTIONS_SHARE));
  }

  async resolve(
    credential: string,
    origin: RequestOrigin,
    recognized?: (organizationId: string) => void,
  ): Promise<Resolution> {
    return this.keys.resolveWith(credential, origin, (secret) => this.ownerOf(secret, origin, recognized));
  }

  async resolveOwn(session: SessionPrincipal, keyHash: string): Promise<Resolution> {
    return this.keys.resolveOwn(session, keyHash);
  }

  /**
   * The context of the requests of a key.
   *
   * @param hypothetical an assignment that is taken into account although it does not exist
   * @returns undefined when the key was deleted meanwhile
   */
  async of(
    { organizationId, credentialId, origin }: ApiKeyPrincipal,
    hypothetical?: HypotheticalAssignment,
  ): Promise<RequestContext | undefined> {
    const read = origin === null || hypothetical !== undefined ? undefined : this.read.get(origin);
    return read ?? (await this.contexts.ofKey(organizationId, credentialId, hypothetical));
  }

  private async ownerOf(
    secret: SecretInOrganization,
    origin: RequestOrigin,
    recognized: ((organizationId: string) => void) | undefined,
  ): Promise<KeyOwner | undefined> {
    if (this.contexts.readsOfSecrets >= this.readAtOnce) return undefined;
    const name = secret.hash.toString('latin1');
    // Under load the service has other work while it waits, and would only be slower by some percent.
    const isIdle = this.contexts.readsOfSecrets === 0;
    const reading = this.contexts.ofSecret(secret);
    const hadCome = this.hadComeWhole(origin, () => {
      if (isIdle && this.accepted.has(name)) recognized?.(secret.organizationId);
    });
    const context = await reading;
    if (context === undefined || context.disabled || context.expired) this.accepted.delete(name);
    else this.accepted.set(name, true);
    if (context !== undefined && (await hadCome)) this.read.set(origin, context);
    return context;
  }

  /**
   * Whether all of a request had come by now. What came with its head is parsed in the course of this turn of the event loop.
   *
   * @param then is called at the end of the turn, by when the statement is on its way to the database
   */
  private async hadComeWhole(origin: RequestOrigin, then: () => void): Promise<boolean> {
    const { receivedBytes } = origin;
    await nextTurn();
    const hadCome = origin.isComplete && origin.receivedBytes === receivedBytes;
    then();
    return hadCome;
  }
}
