import { isDeepStrictEqual } from 'node:util';
import {
  ApplyGuardrailCommand,
  type ApplyGuardrailCommandInput,
  BedrockRuntimeClient,
} from '@aws-sdk/client-bedrock-runtime';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import OpenAI from 'openai';
import {
  CASES,
  REQUESTS,
  RESPONSE,
  TEXTS,
} from '../../src/modules/inspectors/protocols/inspection-protocols.fixture.js';
import { serverProtocolOf, type ServerProtocol } from '../../src/modules/inspectors/protocols/inspection-protocols.js';
import { ProviderServer } from '../support/network/provider-server.js';

/** The answers of a simulated service that it might give: those by which its inspector does not fail. */
const answersOf = (protocol: ServerProtocol): readonly (readonly [name: string, answer: unknown])[] =>
  Object.entries(CASES[protocol])
    .filter(([, { becomes }]) => !isDeepStrictEqual(becomes, { outcome: 'failed' }))
    .map(([name, { answer }]) => [name, answer] as const);

describe("the simulated services of inspectors, read by their vendors' own clients", () => {
  let server: ProviderServer;

  beforeAll(async () => {
    server = await ProviderServer.start();
  });
  afterAll(() => server.stop());

  /** What an inspector of a protocol sends there. */
  const sentBy = (protocol: ServerProtocol, of: object = {}): { path: string; body: unknown } => {
    const { settings = {} } = REQUESTS[protocol];
    const input = { organizationId: 'org_1', place: 'request', texts: TEXTS, context: {}, ...of } as const;
    const { url, body } = serverProtocolOf(protocol)!.request({ url: server.baseUrl, settings }, input);
    return {
      path: url.slice(new URL(server.baseUrl).origin.length),
      body: JSON.parse(JSON.stringify(body)) as unknown,
    };
  };

  describe('Bedrock Guardrails', () => {
    const client = (): BedrockRuntimeClient =>
      new BedrockRuntimeClient({
        region: 'eu-central-1',
        endpoint: server.baseUrl,
        credentials: { accessKeyId: 'AKIA0123456789ABCDEF', secretAccessKey: 'secret' },
        requestHandler: new NodeHttpHandler(),
        maxAttempts: 1,
      });

    const input = (source: 'INPUT' | 'OUTPUT'): ApplyGuardrailCommandInput => ({
      guardrailIdentifier: 'gr1',
      guardrailVersion: '2',
      source,
      content: TEXTS.map((text) => ({ text: { text } })),
    });

    it.each([
      ['INPUT', {}],
      ['OUTPUT', RESPONSE],
    ] as const)('are asked about %s as the client does', async (source, of) => {
      server.answerJson({ action: 'NONE', outputs: [], assessments: [] });
      await client().send(new ApplyGuardrailCommand(input(source)));

      const [{ path, body }] = server.received as [(typeof server.received)[number]];
      expect(sentBy('bedrock', of)).toEqual({ path, body });
    });

    it.each(answersOf('bedrock'))('answer %s, of which the client knows every field', async (_, answer) => {
      server.answerJson(answer);
      const { $metadata, ...read } = await client().send(new ApplyGuardrailCommand(input('INPUT')));

      expect($metadata.httpStatusCode).toBe(200);
      expect(JSON.parse(JSON.stringify(read))).toEqual(answer);
    });
  });

  describe("OpenAI's moderation", () => {
    const client = (): OpenAI => new OpenAI({ apiKey: 'sk-0123456789', baseURL: server.baseUrl, maxRetries: 0 });

    const moderated = (): Promise<OpenAI.ModerationCreateResponse> =>
      client().moderations.create({ model: 'omni-moderation-latest', input: [...TEXTS] });

    it('is asked as the client does', async () => {
      server.answerJson({ results: [] });
      await moderated();

      const [{ path, body }] = server.received as [(typeof server.received)[number]];
      expect(sentBy('openai-moderation')).toEqual({ path, body });
    });

    it.each(answersOf('openai-moderation'))('answers %s, which the client reads', async (_, answer) => {
      server.answerJson(answer);
      const { results } = await moderated();

      expect({ results }).toEqual(answer);
      expect(results.map(({ flagged }) => typeof flagged)).toEqual(['boolean']);
      expect(results.flatMap(({ categories }) => Object.values(categories)).length).toBeGreaterThan(0);
    });
  });
});
