import { setImmediate as nextTurn } from 'node:timers/promises';
import { Writable } from 'node:stream';
import { readEnvironment } from '../../../../config/environment.js';
import { ServiceLogger } from '../../../../telemetry/logging/service-logger.js';
import type { OutboxBoundsRepository, WaitingOfOrganization } from './outbox-bounds.repository.js';
import { MAXIMUM_WAITING, OutboxBounds } from './outbox-bounds.service.js';

const MEBIBYTE = 1_048_576;

describe('the bounds of what waits for destinations', () => {
  let stored: WaitingOfOrganization | Error;
  let reads: number;
  let bounds: OutboxBounds;

  beforeEach(() => {
    stored = { bytes: 0, destinations: {} };
    reads = 0;
    const repository = {
      waitingOf: () => {
        reads += 1;
        return stored instanceof Error ? Promise.reject(stored) : Promise.resolve(stored);
      },
    } as unknown as OutboxBoundsRepository;
    const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
    const environment = readEnvironment({ BROADCAST_ORGANIZATION_MIB: '2' });
    bounds = new OutboxBounds(repository, new ServiceLogger('debug', silent), environment);
  });

  it('leave room for a destination until so many generations wait for it, as far as is known', async () => {
    stored = { bytes: 100, destinations: { full: MAXIMUM_WAITING - 1, other: 5 } };
    expect(bounds.hasRoom('one', 'full')).toBe(true);
    await nextTurn();
    bounds.add('one', 10, ['full']);
    expect(bounds.hasRoom('one', 'full')).toBe(false);
    expect(bounds.hasRoom('one', 'other')).toBe(true);
    expect(bounds.hasRoom('two', 'full')).toBe(true);
  });

  it('leave no room for any destination of an organization when its generations take too much', async () => {
    bounds.hasRoom('one', 'a');
    await nextTurn();
    bounds.add('one', 2 * MEBIBYTE - 1, ['a']);
    expect(bounds.hasRoom('one', 'b')).toBe(true);
    bounds.add('one', 1, ['a']);
    expect(bounds.hasRoom('one', 'b')).toBe(false);
    expect(bounds.hasRoom('two', 'b')).toBe(true);
  });

  it('are read once for many questions, and no question waits for that', async () => {
    stored = { bytes: 3 * MEBIBYTE, destinations: {} };
    expect([1, 2, 3].map(() => bounds.hasRoom('one', 'a'))).toEqual([true, true, true]);
    await nextTurn();
    expect([bounds.hasRoom('one', 'a'), reads]).toEqual([false, 1]);
  });

  it('leave room while they cannot be read', async () => {
    stored = new Error('the database is gone');
    bounds.hasRoom('one', 'a');
    await nextTurn();
    expect(bounds.hasRoom('one', 'a')).toBe(true);
  });
});
