import { setTimeout as delay } from 'node:timers/promises';
import { ApiClient } from '../../support/network/api-client.js';
import { UnfinishedRequest } from '../../support/network/unfinished-request.js';
import { DataDirectory } from '../../support/processes/data-directory.js';
import { GatehouseProcess } from '../../support/processes/gatehouse-process.js';
import { until } from '../../support/time/until.js';

const WORKERS = '3';

// Each test stands on what the one before it has left.
describe('workers on the embedded server', () => {
  let directory: DataDirectory;
  let key: string;

  beforeAll(async () => {
    directory = await DataDirectory.make();
  });

  afterEach(() => GatehouseProcess.killAll());

  afterAll(() => directory.remove());

  const start = (): GatehouseProcess =>
    GatehouseProcess.service({ DATA_DIR: directory.path, WORKERS, SHUTDOWN_DRAIN_TIMEOUT_MS: '3600000' });

  it('makes one organization, shows its key once, and answers 201 to what a worker reads when the service stops: the server is stopped last', async () => {
    const service = start();
    const origin = await service.origin();
    const shown = service.output.match(/mk-gate-v2-\w+-[0-9a-f]+/g);
    expect(shown).toHaveLength(1);
    key = shown![0];
    expect(directory.servers()).not.toEqual([]);
    const begun = await UnfinishedRequest.post(`${origin}/api/v1/guardrails`, key, { name: 'at the last moment' });

    service.signal('SIGTERM');
    await until(() =>
      fetch(origin).then(
        () => false,
        () => true,
      ),
    );
    expect(directory.servers()).not.toEqual([]);
    const answer = await begun.finish();

    expect(answer).toMatchObject({ status: 201 });
    const { code, signal, stderr } = await service.end();
    expect({ code, signal, stderr }).toEqual({ code: 0, signal: null, stderr: '' });
    expect(directory.servers()).toEqual([]);
  }, 300_000);

  it('answers 200 with what the former workers have written, and goes on when the server is restarted', async () => {
    const service = start();
    const origin = await service.origin();
    const names = async (): Promise<readonly string[] | number> => {
      const { status, body } = await new ApiClient(`${origin}/api/v1`).get<{ data: { name: string }[] }>(
        '/guardrails',
        { key },
      );
      return status === 200 ? body.data.map(({ name }) => name) : status;
    };
    expect(await names()).toEqual(['at the last moment']);

    for (const { processId } of directory.servers()) process.kill(processId, 'SIGKILL');
    await service.said(/PostgreSQL was restarted/);
    await until(async () => typeof (await names()) !== 'number');

    expect(await names()).toEqual(['at the last moment']);
    expect(await service.stop()).toMatchObject({ code: 0, signal: null });
    expect(directory.servers()).toEqual([]);
  }, 300_000);

  it('leaves no process behind when it is stopped while it starts', async () => {
    const service = start();
    while (directory.servers().length === 0) await delay(10);

    const { code, signal, stdout } = await service.stop();

    expect({ code, signal }).toEqual({ code: 0, signal: null });
    expect(stdout).not.toContain('Gatehouse is running.');
    expect(directory.servers()).toEqual([]);
  }, 300_000);
});
