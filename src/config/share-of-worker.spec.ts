import { getHeapStatistics } from 'node:v8';
import { type Environment, readEnvironment } from './environment.js';

const MEBIBYTE = 1024 ** 2;

/** What a worker reads. */
function ofWorker(variables: Readonly<Record<string, string>>): Environment {
  return readEnvironment(variables, [], true, true);
}

describe('the share of a worker', () => {
  it('is an N-th of what bounds a process, set or not', () => {
    const set = {
      WORKERS: '4',
      DATABASE_POOL_SIZE: '40',
      MAXIMUM_CONNECTIONS: '1000',
      INFERENCE_MEMORY: '800MiB',
      INFERENCE_MEMORY_PER_ORGANIZATION: '400MiB',
      REQUEST_BODY_MEMORY_MIB: '512',
      REQUEST_BODY_MEMORY_PER_ORGANIZATION_MIB: '128',
    };

    expect(ofWorker(set)).toMatchObject({
      databasePoolSize: 10,
      maximumConnections: 250,
      inferenceMemory: 200 * MEBIBYTE,
      inferenceMemoryPerOrganization: 100 * MEBIBYTE,
      requestBodyMemoryMib: 128,
      requestBodyMemoryPerOrganizationMib: 32,
      streamsPerOrganization: 250,
      refusalRecordsPerKey: 15,
      refusalRecordsPerOrganization: 150,
      broadcastWorkers: 2,
    });
  });

  it('is of memory by default what the heap of the worker gives, which is its part already', () => {
    const { heap_size_limit: heap } = getHeapStatistics();

    expect(ofWorker({ WORKERS: '4' })).toMatchObject({
      inferenceMemory: Math.floor(heap / 2),
      inferenceMemoryPerOrganization: Math.floor(heap / 4),
    });
  });

  it('is never less than a process needs: two connections, room for a body, one of each', () => {
    const set = { INFERENCE_MEMORY: '60MiB', INFERENCE_MEMORY_PER_ORGANIZATION: '30MiB', REDIS_URL: '' };

    expect(ofWorker({ WORKERS: '64', BROADCAST_WORKERS: '8', ...set })).toMatchObject({
      databasePoolSize: 2,
      broadcastWorkers: 1,
      inferenceMemory: 60 * MEBIBYTE,
      inferenceMemoryPerOrganization: 30 * MEBIBYTE,
      requestBodyMemoryMib: 60,
      requestBodyMemoryPerOrganizationMib: 20,
    });
  });

  it('leaves off what is off', () => {
    const off = { BROADCAST_WORKERS: '0', REFUSAL_RECORDS_PER_KEY: '0' };

    expect(ofWorker({ WORKERS: '4', ...off })).toMatchObject({ broadcastWorkers: 0, refusalRecordsPerKey: 0 });
  });

  it('divides counters of a minute only where replicas do not share them', () => {
    const counters = {
      WORKERS: '4',
      ORGANIZATION_REQUESTS_PER_MINUTE: '1000',
      KEY_DELETION_RATE_LIMIT: '600',
      TOKEN_EXCHANGES_PER_MINUTE: '600',
      SIGN_INS_PER_MINUTE: '2',
    };

    const shares = [ofWorker(counters), ofWorker({ ...counters, REDIS_URL: 'redis://cache' })].map((share) => [
      share.organizationRequestsPerMinute,
      share.keyDeletionRateLimit,
      share.tokenExchangesPerMinute,
      share.signInsPerMinute,
    ]);

    expect(shares).toEqual([
      [250, 150, 150, 1],
      [1000, 600, 600, 2],
    ]);
  });

  it('is the whole for a process that is no worker, and for the only one', () => {
    expect(readEnvironment({ WORKERS: '4' })).toMatchObject({ workers: 4, databasePoolSize: 20 });
    expect(ofWorker({ WORKERS: '1' })).toEqual(readEnvironment({}));
  });
});
