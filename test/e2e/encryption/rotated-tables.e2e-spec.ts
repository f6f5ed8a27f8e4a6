import type { NewOrganization } from '../../../src/modules/installation/installation.service.js';
import { EncryptedTables } from '../../../src/modules/encryption/encrypted-tables.js';
import { EncryptionRotationService } from '../../../src/modules/encryption/encryption-rotation.service.js';
import { SigningKeys } from '../../../src/modules/federation/signing/signing-keys.service.js';
import { GenerationsService } from '../../../src/modules/generations/generations.service.js';
import { newGenerationId } from '../../../src/modules/inference/pipeline/request/generation-id.js';
import { generationSample } from '../../support/resources/generation-sample.js';
import { newInspector } from '../../support/resources/inspectors.js';
import { connectedServer } from '../../support/resources/mcp-connections.js';
import { newMcpServer } from '../../support/resources/mcp-servers.js';
import { connectedToItself } from '../../support/resources/provider-connections.js';
import { newSignInConnection } from '../../support/resources/sign-in.js';
import type { TestApplication } from '../../support/application/test-application.js';
import { BroadcastingGateway } from '../observability/broadcasting-gateway.js';

const OLD = '11'.repeat(32);
const NEW = '22'.repeat(32);

/** What a value is made in. */
interface Place {
  readonly broadcasting: BroadcastingGateway;
  readonly app: TestApplication;
  /** Its default workspace broadcasts. */
  readonly organization: NewOrganization;
}

/** How a value of each table with encrypted values comes to be, by the name of the table. */
const MADE: Readonly<Record<string, (place: Place) => Promise<unknown>>> = {
  destinations: ({ broadcasting, organization }) => broadcasting.webhook(organization),
  'generations that wait for destinations': async ({ broadcasting, app, organization }) =>
    broadcasting.gateway.ask(await app.factory.key(organization)),
  'contents of generations': ({ app, organization }) => {
    const content = { input: { messages: [] }, output: { completion: 'Hello', reasoning: null }, error: null };
    const record = generationSample(organization, newGenerationId(Date.now()), { content });
    return app.application.get(GenerationsService).record(record);
  },
  'provider connections': ({ app, organization }) => connectedToItself(app, organization, 'openai'),
  'provider keys': ({ app, organization }) => app.factory.providerKey(organization, 'openai', 'sk-of-the-organization'),
  inspectors: ({ app, organization }) => newInspector(app, organization),
  'MCP servers': ({ app, organization }) => newMcpServer(app, organization),
  'connections to MCP servers': ({ app, organization }) => connectedServer({ app, ...organization }),
  'identity providers': ({ app, organization }) =>
    newSignInConnection(app, organization, { client_secret: 'secret-of-the-client' }),
  'token signing keys': ({ app }) => app.application.get(SigningKeys).active(),
};

interface Values {
  /** How many bytes each has, in ascending order. */
  readonly sizes: readonly number[];
  /** How many of them the keys of the application decrypt. */
  readonly readable: number;
}

/** The values of a table as an application sees them. */
async function valuesOf({ application }: TestApplication, name: string): Promise<Values> {
  const table = application
    .get(EncryptedTables)
    .all()
    .find((one) => one.name === name)!;
  const sizes: number[] = [];
  let readable = 0;
  for await (const row of table.rows()) {
    sizes.push(row.bytes.length);
    try {
      table.reEncrypted(row, false);
      readable += 1;
    } catch {
      // No key of the application is that of the value.
    }
  }
  return { sizes: sizes.toSorted((one, other) => one - other), readable };
}

describe('the rotation of the encryption key', () => {
  let broadcasting: BroadcastingGateway;

  beforeAll(async () => {
    broadcasting = await BroadcastingGateway.start({ ENCRYPTION_KEY: OLD });
    broadcasting.reset();
  });

  afterAll(() => broadcasting.stop());

  const replica = (keys: string): Promise<TestApplication> => broadcasting.gateway.replica({ ENCRYPTION_KEY: keys });

  it('takes along every value of every table with encrypted values: the new key alone decrypts them, and the old one none', async () => {
    const { app } = broadcasting;
    const { organization } = await broadcasting.broadcasting();
    const names = app.application
      .get(EncryptedTables)
      .all()
      .map(({ name }) => name);
    expect(Object.keys(MADE).toSorted()).toEqual(names.toSorted());
    for (const make of Object.values(MADE)) await make({ broadcasting, app, organization });
    const before = new Map<string, Values>();
    for (const name of names) before.set(name, await valuesOf(app, name));

    const both = await replica(`${NEW},${OLD}`);
    const rotation = both.application.get(EncryptionRotationService);
    const report = await rotation.rotate({ dryRun: false, replaceLostKey: false });

    const renewed = await replica(NEW);
    for (const name of names) {
      const { sizes, readable } = before.get(name)!;
      expect({ name, readable }).toEqual({ name, readable: sizes.length });
      expect(sizes).not.toEqual([]);
      expect(report).toContainEqual({ name, values: sizes.length, reEncrypted: sizes.length, unreadable: [] });
      expect({ name, ...(await valuesOf(renewed, name)) }).toEqual({ name, sizes, readable });
      expect({ name, ...(await valuesOf(app, name)) }).toEqual({ name, sizes, readable: 0 });
    }
  });
});
