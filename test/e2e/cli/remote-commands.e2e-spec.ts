import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { runCommand } from '../../support/processes/run-command.js';
import { configurationInterface } from '../configuration/configuration-interface.js';

describe('commands with GATEHOUSE_URL', () => {
  const { app, organization, send } = configurationInterface();
  let directory: string;

  beforeAll(async () => {
    await app.factory.starterCatalog();
    directory = await mkdtemp(path.join(os.tmpdir(), 'gatehouse-remote-'));
  });

  afterAll(() => rm(directory, { recursive: true, force: true }));

  const server = (): Record<string, string> => ({
    INIT_CWD: directory,
    GATEHOUSE_URL: app.origin,
    GATEHOUSE_KEY: organization.managementKey,
  });

  it('evaluate a guardrail by the interface, without a database', async () => {
    const { body } = await send<{ data: { id: string } }>('POST', '/guardrails', { name: 'Checkout' });
    const request = { model: 'gatehouse/echo', messages: [{ role: 'user', content: 'Hello' }] };
    await writeFile(path.join(directory, 'request.json'), JSON.stringify(request));
    const evaluate = ['guardrail', 'evaluate', body.data.id, '--request', 'request.json'];

    const { code, stdout, stderr } = await runCommand([...evaluate, '--json'], server());
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({ outcome: 'admitted', guardrails: [{ name: 'Checkout' }] });
    const unknown = ['guardrail', 'evaluate', '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f80', '--request', 'request.json'];
    expect(await runCommand(unknown, server())).toMatchObject({
      code: 1,
      stderr: 'It cannot be evaluated: guardrail_not_found.\n',
    });
  });

  it.each(['member list', 'organization list', 'management-key', 'migrate', 'distribute'])(
    'say that they need the database, before they open one: %s',
    async (words) => {
      expect(await runCommand(words.split(' '), server())).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringContaining('unset GATEHOUSE_URL') as string,
      });
    },
  );
});
