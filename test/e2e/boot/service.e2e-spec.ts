import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { ListGuardrailsResponse } from '../../../src/modules/guardrails/dto/guardrail.dto.js';
import { ApiClient } from '../../support/network/api-client.js';
import { DataDirectory } from '../../support/processes/data-directory.js';
import { GatehouseProcess } from '../../support/processes/gatehouse-process.js';
import { UnfinishedRequest } from '../../support/network/unfinished-request.js';

// Starting processes takes its time where many of them do so at once.

const SHOWN_KEYS = /mk-gate-v2-\w+-[0-9a-f]+/g;

// Each test stands on what the one before it has left: a deployment is started again and again.
describe('the service on the embedded server', () => {
  let directory: DataDirectory;
  let key: string;

  beforeAll(async () => {
    directory = await DataDirectory.make();
  });

  afterEach(() => GatehouseProcess.killAll());

  afterAll(() => directory.remove());

  const start = (): GatehouseProcess =>
    GatehouseProcess.service({ DATA_DIR: directory.path, PROVIDER_OPENAI_API_KEY: 'sk-of-the-deployment' });

  const guardrails = async (origin: string): Promise<string[]> => {
    const { status, body } = await new ApiClient(`${origin}/api/v1`).get<ListGuardrailsResponse>('/guardrails', {
      key,
    });
    expect(status).toBe(200);
    return body.data.map(({ name }) => name);
  };

  it('prints its URL and the first management key once, answers 200, and leaves no process behind when it stops', async () => {
    const service = start();
    const origin = await service.origin();
    const shown = service.output.match(SHOWN_KEYS);
    expect(shown).toHaveLength(1);
    key = shown![0];
    const api = new ApiClient(`${origin}/api/v1`);

    const created = await api.post('/guardrails', { key, json: { name: 'from the first start' } });
    const model = await api.get('/model/openai/gpt-latest', { key });
    const page = await fetch(`${origin}/docs`);

    expect([created.status, model.status, page.status]).toEqual([201, 200, 200]);
    expect(directory.servers()).not.toEqual([]);
    service.signal('SIGINT');
    const { code, signal, stdout, stderr } = await service.end();
    expect({ code, signal, stderr }).toEqual({ code: 0, signal: null, stderr: '' });
    // The starter catalog has the provider that a variable connects.
    expect(stdout).not.toContain('PROVIDER_');
    expect(stdout.match(/Gatehouse is running\./g)).toHaveLength(1);
    expect(stdout.match(SHOWN_KEYS)).toEqual([key]);
    expect(directory.servers()).toEqual([]);
  }, 120_000);

  it('keeps its data over a restart, prints no key again, and answers 201 to a request that it was reading when asked to stop', async () => {
    const service = start();
    const origin = await service.origin();
    expect(await guardrails(origin)).toEqual(['from the first start']);
    const begun = await UnfinishedRequest.post(`${origin}/api/v1/guardrails`, key, { name: 'at the last moment' });

    service.signal('SIGTERM');
    await refusal(origin);
    const answer = await begun.finish();

    expect(answer).toMatchObject({ status: 201, connection: 'close', body: { data: { name: 'at the last moment' } } });
    const { code, stdout } = await service.end();
    expect(code).toBe(0);
    expect(stdout).toContain('shown at the first start');
    expect(stdout).not.toMatch(SHOWN_KEYS);
    expect(directory.servers()).toEqual([]);
  }, 120_000);

  it('exits when its port is taken, leaves no process behind, and the owner of the port still answers 200', async () => {
    const holder = start();
    const origin = await holder.origin();
    const { port } = new URL(origin);
    const other = await DataDirectory.make();

    const service = GatehouseProcess.service({ DATA_DIR: other.path, PORT: port });
    const { code, stdout, stderr } = await service.end();

    expect(code).toBe(1);
    expect(stderr).toBe(
      `Port ${port} of 127.0.0.1 is taken by another process. Stop that one, or set PORT to a port that is free.\n`,
    );
    expect(stdout).not.toContain('Gatehouse is running.');
    expect(other.servers()).toEqual([]);
    expect(await guardrails(origin)).toEqual(['from the first start', 'at the last moment']);
    await holder.stop();
    await other.remove();
  }, 120_000);

  it('leaves no process behind when it is stopped while it starts', async () => {
    const service = start();
    while (directory.servers().length === 0) await delay(10);

    const { code, signal, stdout } = await service.stop();

    expect({ code, signal }).toEqual({ code: 0, signal: null });
    expect(stdout).not.toContain('Gatehouse is running.');
    expect(directory.servers()).toEqual([]);
  }, 120_000);
});

/** Resolves when nothing listens any more. */
async function refusal(origin: string): Promise<void> {
  const { hostname, port } = new URL(origin);
  const isRefused = (): Promise<boolean> =>
    new Promise((resolve) => {
      const socket = connect(Number(port), hostname);
      socket.once('connect', () => {
        socket.destroy();
        resolve(false);
      });
      socket.once('error', () => resolve(true));
    });
  while (!(await isRefused())) await delay(10);
}
