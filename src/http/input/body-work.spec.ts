import { EventEmitter } from 'node:events';
import type { Response } from 'express';
import { FairQueue } from '../../concurrency/fair-queue.js';
import { LoopTurns } from '../../concurrency/loop-turns.js';
import { ClientGoneError } from '../client-signal.js';
import { TooManyUnfinishedBodies } from '../errors/request.errors.js';
import { BodyWork } from './body-work.js';

const LARGE = 1024 * 1024 + 1;

describe('The work on bodies above 1 MiB', () => {
  const turns = new LoopTurns();
  const queue = new FairQueue({
    overload: TooManyUnfinishedBodies,
    concurrency: 1,
    concurrencyPerOrganization: 1,
    waitingPerOrganization: Infinity,
    retryAfterSeconds: 1,
  });
  let begun: string[];

  beforeEach(() => (begun = []));

  async function begin(organizationId: string, bytes = LARGE, client = new EventEmitter()): Promise<BodyWork> {
    const work = new BodyWork(turns, queue, { organizationId, response: client as Response });
    await work.begin(bytes);
    begun.push(organizationId);
    return work;
  }

  it('is done with one of them at a time, organizations in turn', async () => {
    const first = await begin('one');
    const waiting = [begin('one'), begin('one'), begin('other')];
    await begin('one', LARGE - 1);
    expect(begun).toEqual(['one', 'one']);
    first.end();
    for (const next of [waiting[2]!, waiting[0]!, waiting[1]!]) (await next).end();

    expect(begun.slice(2)).toEqual(['other', 'one', 'one']);
  });

  it('is not begun for a client that has left, and the next one does not wait for it', async () => {
    const first = await begin('one');
    const client = new EventEmitter();
    const left = begin('one', LARGE, client);
    const next = begin('one');
    client.emit('close');
    await expect(left).rejects.toBeInstanceOf(ClientGoneError);
    first.end();
    (await next).end();

    expect(begun).toEqual(['one', 'one']);
  });
});
