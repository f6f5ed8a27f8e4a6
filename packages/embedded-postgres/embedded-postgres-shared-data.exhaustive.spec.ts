import { existsSync, readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { EmbeddedPostgresInUse } from './index.js';
import { EmbeddedServers, query, until } from './embedded-servers.fixture.js';

let servers: EmbeddedServers;

beforeEach(() => {
  servers = new EmbeddedServers();
});

afterEach(() => servers.end());

describe('a second process with the same data directory', () => {
  it('connects to the running server, leaves it running, and starts none', async () => {
    const owner = servers.runOwner('start', 'stay');
    const url = await owner.server;

    const connected = await servers.connect();
    expect(connected.url).toBe(url);
    expect(await query(connected.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await connected.stop();
    await connected.exited;
    expect(await query(connected.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);

    const refused = servers.start({ waitForOwnerMs: 100 });
    await expect(refused).rejects.toThrow(EmbeddedPostgresInUse);
    await expect(refused).rejects.toThrow(`in use by process ${owner.processId}`);
  });

  it('connects to a server that is still starting', async () => {
    const owner = servers.runOwner('start', 'stay');
    await until(() => existsSync(servers.dataDirectory) && readdirSync(servers.dataDirectory).length > 0);
    const connected = await servers.connect();
    expect(connected.url).toBe(await owner.server);
  });

  it('starts a server when there is none, and stops it', async () => {
    const connected = await servers.connect();
    expect(await query(connected.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await connected.stop();
    expect(servers.serverProcesses()).toEqual([]);
  });

  it('starts once a short run that uses the data directory has ended', async () => {
    const shortRun = await servers.connect();
    const waiting = servers.start({ waitForOwnerMs: 300_000 });
    await sleep(200);
    await shortRun.stop();
    expect(await query((await waiting).url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('is refused when it is the same process', async () => {
    await servers.start();
    await expect(servers.start({ waitForOwnerMs: 0 })).rejects.toThrow(EmbeddedPostgresInUse);
  });

  it('starts the server once when several start at the same time', async () => {
    const owners = Array.from({ length: 4 }, () => servers.runOwner('start', 'stay', { waitForOwnerMs: 0 }));
    const outcomes = await Promise.allSettled(owners.map((owner) => owner.server));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const errors = owners
      .flatMap((owner) => owner.told.map(({ error }) => error))
      .filter((error) => error !== undefined);
    expect(errors).toEqual(['EmbeddedPostgresInUse', 'EmbeddedPostgresInUse', 'EmbeddedPostgresInUse']);
  });

  it('starts the server once when several connect at the same time', async () => {
    const runs = Array.from({ length: 3 }, () => servers.runOwner('connect', 'stay'));
    const found = await Promise.all(runs.map((run) => run.server));
    expect(new Set(found).size).toBe(1);
  });
});
