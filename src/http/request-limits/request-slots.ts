import { Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Response } from 'express';
import { Environment } from '../../config/environment.js';
import { ClientGoneError } from '../client-signal.js';
import { TooManyConcurrentRequests } from '../errors/request.errors.js';
import type { GatehouseRequest } from '../request.js';
import { DatabaseTimeouts } from '../../persistence/database-timeouts.js';
import { FairQueue } from '../../concurrency/fair-queue.js';

/**
 * The connections of the pool that are reserved for work on behalf of all organizations: credentials, health, the catalog.
 */
const RESERVED_CONNECTIONS = 2;

/** The maximum number of waiting requests of one organization, in all workers. */
const WAITING_PER_ORGANIZATION = 500;

const MEBIBYTE = 1024 * 1024;

/** How many bytes of made answers the clients of one organization may leave unread in all workers before it gets no further slot. */
const UNREAD_PER_ORGANIZATION = 32 * MEBIBYTE;

/** What they may leave unread in one worker at least: a few large answers. */
const LEAST_UNREAD = 4 * MEBIBYTE;

/** Fewer are not counted, in bytes: they are as good as sent, and a client has to open a connection for each such answer. */
const LARGE_ANSWER = 65_536;

/** Requests are answered in less. */
const RETRY_AFTER_SECONDS = 1;

/**
 * Declares that an operation holds a slot only while it works with the database ({@link RequestSlots.run}), because a
 * provider decides how long it takes.
 */
export const HoldsSlotsInParts = Reflector.createDecorator<undefined>();

/** A slot that a part of a request holds. */
export class HeldSlot {
  /** @param end gives the slot to others @param enter waits for another one */
  constructor(
    private end: () => void,
    private readonly enter: () => Promise<() => void>,
  ) {}

  /**
   * Waits for something that does not need the slot, and lets others have it meanwhile. After a failure the slot is gone.
   *
   * @throws TooManyConcurrentRequests when there is no slot afterwards
   */
  async without<Result>(work: () => Promise<Result>): Promise<Result> {
    this.leave();
    const result = await work();
    this.end = await this.enter();
    return result;
  }

  /** Gives the slot to others, if it is held. */
  leave(): void {
    const { end } = this;
    this.end = () => undefined;
    end();
  }
}

/**
 * Limits concurrent requests: as many as there are database connections, and at most half of them for one organization, so
 * that requests of other organizations find a free connection.
 */
@Injectable()
export class RequestSlots {
  private readonly queue: FairQueue;
  /** The bytes of made answers that clients have not read, by organization. */
  private readonly unread = new Map<string, number>();

  private readonly unreadPerOrganization: number;

  constructor({ databasePoolSize, databaseStatementTimeoutMs, workers }: Environment) {
    const share = Math.max(1, Math.floor(databasePoolSize / 2));
    this.unreadPerOrganization = Math.max(LEAST_UNREAD, UNREAD_PER_ORGANIZATION / workers);
    this.queue = new FairQueue({
      overload: TooManyConcurrentRequests,
      concurrency: Math.max(share + 1, databasePoolSize - RESERVED_CONNECTIONS),
      concurrencyPerOrganization: share,
      waitingPerOrganization: Math.ceil(WAITING_PER_ORGANIZATION / workers),
      longestWaitMs: DatabaseTimeouts.ofStatement(databaseStatementTimeoutMs).connection,
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    });
  }

  /**
   * Waits for a slot, which the request keeps until its answer is made: one that its client does not read is counted in bytes
   * instead. Callers without a credential share the slots of one organization.
   *
   * @throws TooManyConcurrentRequests when too many requests of the organization wait already, this one has waited for the
   *   connection timeout, or clients of the organization do not read their answers
   * @throws ClientGoneError when the client disconnects before its request gets a slot
   */
  async take(request: GatehouseRequest): Promise<void> {
    const { organizationId = '', handler } = request;
    const response = request.res!;
    if (handler !== undefined && Reflect.hasMetadata(HoldsSlotsInParts.KEY, handler)) return;
    // Without an abort signal: creating one for each request costs more than giving a slot to requests of disconnected
    // clients.
    const leave = this.queue.tryEnter(organizationId) ?? (await this.queue.enter(organizationId));
    if (response.closed) {
      leave();
      throw new ClientGoneError();
    }
    // Not before the wait, after which as many could follow as may wait.
    if ((this.unread.get(organizationId) ?? 0) >= this.unreadPerOrganization) {
      leave();
      throw new TooManyConcurrentRequests(RETRY_AFTER_SECONDS);
    }
    let isHeld = true;
    const release = (): void => {
      if (isHeld) leave();
      isHeld = false;
    };
    response.once('close', release);
    // With the response as its parameter: a function of each request that keeps its response takes a tenth of the time of a small one.
    request.answered = (answer) => {
      release();
      this.countUnread(organizationId, answer);
    };
  }

  /** Counts what a client has not read of its answer, until it has, or has left. */
  private countUnread(organizationId: string, response: Response): void {
    const bytes = response.writableLength;
    if (bytes < LARGE_ANSWER || response.closed) return;
    this.unread.set(organizationId, (this.unread.get(organizationId) ?? 0) + bytes);
    response.once('close', () => {
      const left = this.unread.get(organizationId)! - bytes;
      if (left > 0) this.unread.set(organizationId, left);
      else this.unread.delete(organizationId);
    });
  }

  /**
   * Runs a part of a request in a slot.
   *
   * @param job is given the slot
   * @throws TooManyConcurrentRequests as {@link take} does
   */
  async run<Result>(organizationId: string, job: (slot: HeldSlot) => Promise<Result>): Promise<Result> {
    const enter = (): Promise<() => void> => this.queue.enter(organizationId);
    const slot = new HeldSlot(await enter(), enter);
    try {
      return await job(slot);
    } finally {
      slot.leave();
    }
  }
}
