import { Injectable } from '@nestjs/common';
import type { AuthenticatedRequest } from '../../auth/authentication.guard.js';
import { unavailabilityOf } from '../../http/errors/unavailability.js';
import {
  IdempotencyKeyInUse,
  IdempotencyKeyReused,
  IdempotentAnswerNotKept,
  TooManyIdempotencyKeys,
} from '../../http/idempotency/idempotency.errors.js';
import { IdempotentRequests, type RepeatableAnswer } from '../../http/idempotency/idempotent-requests.js';
import { errorCode } from '../../persistence/database-failures.js';
import { Statements, type Transaction } from '../../persistence/statements.js';
import { holdsCredential } from '../../telemetry/logging/secret-mask.js';
import { Quotas } from '../organization-limits/quotas.js';
import { IDEMPOTENCY_KEYS_QUOTA, IdempotencyKeysRepository, type UsedKey } from './idempotency-keys.repository.js';
import { StoredKey } from './sealed-answer.js';

/** How long a key is known, in seconds: a day, and an hour if its answer holds a secret. */
const KEPT_SECONDS = 86_400;
const KEPT_SECONDS_WITH_SECRET = 3_600;

/** When to try again, in seconds: requests take less; keys expire after an hour at the earliest. */
const RETRY_AFTER_IN_USE = 1;
const RETRY_AFTER_QUOTA = 60;

/** SQLSTATEs of a statement that has waited for a lock for too long. */
const WAITED_TOO_LONG = new Set(['55P03', '57014']);

/** Ends the work of a request that another one with the same key has done meanwhile. */
class DoneMeanwhile extends Error {}

interface KnownRequest {
  readonly key: StoredKey;
  readonly fingerprint: Buffer;
}

/**
 * Does requests with an Idempotency-Key once (docs/adr/0020). The row of the key is written in the transaction of the change, so that there
 * is never one of the two without the other.
 */
@Injectable()
export class IdempotentRequestsService extends IdempotentRequests {
  constructor(
    private readonly repository: IdempotencyKeysRepository,
    private readonly statements: Statements,
    private readonly quotas: Quotas,
  ) {
    super();
  }

  async once(
    request: AuthenticatedRequest,
    key: string,
    work: () => Promise<RepeatableAnswer>,
  ): Promise<{ readonly answer: RepeatableAnswer; readonly isReplayed: boolean }> {
    const known = knownRequest(request, key);
    if (known === undefined) return { answer: await work(), isReplayed: false };
    const before = await this.repository.find(known.key);
    if (before !== undefined) return { answer: answerOf(known, before), isReplayed: true };
    if (!(await this.quotas.takesOne(known.key.organizationId, IDEMPOTENCY_KEYS_QUOTA))) {
      throw new TooManyIdempotencyKeys(RETRY_AFTER_QUOTA);
    }
    try {
      const answer = await this.statements.unitOfWork(
        work,
        (tx) => this.claim(tx, known),
        (tx, result) => this.complete(tx, known, result),
        request.operation,
      );
      return { answer, isReplayed: false };
    } catch (error) {
      if (error instanceof IdempotencyKeyInUse || unavailabilityOf(error) !== undefined) throw error;
      // What refuses this request may be what the same request has done meanwhile: a deleted object is not found.
      const done = await this.repository.find(known.key);
      if (done === undefined) throw error;
      return { answer: answerOf(known, done), isReplayed: true };
    }
  }

  /** Adds the key before the first change. Waits while another request with the same key is being done. */
  private async claim(tx: Transaction, { key, fingerprint }: KnownRequest): Promise<void> {
    let isNew: boolean;
    try {
      isNew = await this.repository.claim(tx, key, fingerprint);
    } catch (error) {
      throw WAITED_TOO_LONG.has(errorCode(error) ?? '') ? new IdempotencyKeyInUse(RETRY_AFTER_IN_USE) : error;
    }
    if (!isNew) throw new DoneMeanwhile();
  }

  private async complete(tx: Transaction, { key }: KnownRequest, answer: RepeatableAnswer): Promise<void> {
    const { status, entityTag, body } = answer;
    const text = JSON.stringify({ entityTag, body });
    const hasSecret = holdsCredential(text);
    const sealed = hasSecret && !key.keepsSecrets ? null : key.seal(text);
    await this.repository.complete(tx, key, status, sealed, hasSecret ? KEPT_SECONDS_WITH_SECRET : KEPT_SECONDS);
  }
}

/** What tells the request from others; undefined for a caller whose requests belong to no organization. */
function knownRequest(request: AuthenticatedRequest, text: string): KnownRequest | undefined {
  const { principal, credentialSecret, method, originalUrl: url } = request;
  if (principal === undefined || principal.kind === 'anonymous' || credentialSecret === undefined) return undefined;
  const key = new StoredKey(text, principal.organizationId, principal.credentialId, credentialSecret);
  return { key, fingerprint: key.fingerprintOf({ method, url, body: request.body as unknown }) };
}

/** @throws IdempotencyKeyReused, IdempotentAnswerNotKept */
function answerOf({ key, fingerprint }: KnownRequest, used: UsedKey): RepeatableAnswer {
  if (!used.fingerprint.equals(fingerprint)) throw new IdempotencyKeyReused();
  const text = used.sealedAnswer === null ? undefined : key.open(used.sealedAnswer);
  if (text === undefined || used.status === null) throw new IdempotentAnswerNotKept();
  const { entityTag, body } = JSON.parse(text) as Pick<RepeatableAnswer, 'entityTag' | 'body'>;
  return { status: used.status, entityTag, body };
}
