import { generateKeyPairSync } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { jwtVerify } from 'jose';
import { ConnectionsService } from '../../../../src/modules/providers/connections/connections.service.js';
import { keyPerTest, organizationPerTest } from '../../../support/application/shared-organization.js';
import { answerGemini, errorOf, geminiChunks } from '../../../support/network/gemini-simulator.js';
import type { ReceivedRequest } from '../../../support/network/provider-server.js';
import { claudeEvents, claudeMessage } from '../../../support/network/simulated-claude.js';
import { TokenService } from '../../../support/network/token-service.js';
import { STREAM_HEAD } from '../provider-answers.js';
import { sharedGateway } from '../shared-gateway.js';
import { endpoint } from '../test-gateway.js';
import { describeTable, SEEING, sendCut } from './dialect-table.js';
import { IMAGE, PDF, SCHEMA, TOOL } from './plain-clients.js';

const GEMINI = 'google/gemini-3-flash';
const CLAUDE = 'anthropic/claude-sonnet-4.5';

const ACCOUNT = 'gateway@acme.iam.gserviceaccount.com';
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

/** What the token service of Google issues. */
const TOKEN = 'ya29.issued-for-the-gateway';

const PLACE = '/v1/projects/acme/locations/europe-west1/publishers';

const THOUGHT = 'c2lnbmF0dXJl';
const CALL = { name: 'weather', args: { city: 'Ulm' } };
const OTHER = { name: 'weather', args: { city: 'Bonn' } };

const asked = (...parts: object[]): object => ({ contents: [{ role: 'user', parts }] });

const resultOf = (text: string): object => ({
  functionResponse: { name: 'weather', response: { output: text } },
});

/** Refuses what does not have the token, or is sent elsewhere. @returns whether the request is in order */
function isInOrder(response: ServerResponse, { headers, path }: ReceivedRequest, publisher: string): boolean {
  const isKnown = headers.authorization === `Bearer ${TOKEN}` && path.startsWith(`${PLACE}/${publisher}/models/`);
  if (!isKnown) sendJson(response, errorOf(401, 'UNAUTHENTICATED', 'Request had invalid authentication.'), 401);
  return isKnown;
}

function sendJson(response: ServerResponse, document: object, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(document));
}

function sendEvents(response: ServerResponse, events: readonly object[]): void {
  const lines = events.map((event) => {
    const name = 'type' in event ? `event: ${String(event.type)}\n` : '';
    return `${name}data: ${JSON.stringify(event)}\n\n`;
  });
  response.writeHead(200, STREAM_HEAD).end(lines.join(''));
}

describe('Vertex AI with a token of Google', () => {
  let tokens: TokenService;
  // The connections of the test are made by their presets.
  const variables: Record<string, string> = { PROVIDER_BETA_BASE_URL: '', PROVIDER_BETA_API_KEY: '' };

  // Before the gateway, which reads at its start where token services are.
  beforeAll(async () => {
    tokens = await TokenService.start();
    variables['GOOGLE_TOKEN_URL'] = `${tokens.url}/token`;
    tokens.answer('/token', { body: { access_token: TOKEN, expires_in: 3_599, token_type: 'Bearer' } });
  });

  const gateway = sharedGateway({
    variables,
    models: {
      [GEMINI]: [endpoint('beta', { supported_parameters: [] })],
      [CLAUDE]: [endpoint('nobody', { supported_parameters: [] })],
    },
    facts: { [GEMINI]: SEEING, [CLAUDE]: SEEING },
  });

  beforeAll(async () => {
    const settings = { project: 'acme', location: 'europe-west1' };
    const apiKey = JSON.stringify({
      client_email: ACCOUNT,
      private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    });
    const connections = gateway.app.application.get(ConnectionsService);
    const common = { settings, credential: 'google-service-account' as const, apiKey, timeouts: {}, models: {} };
    await connections.connect({ ...common, provider: 'beta', preset: 'vertex', baseUrl: gateway.beta.baseUrl });
    await connections.connect({
      ...common,
      provider: 'nobody',
      preset: 'vertex-claude',
      baseUrl: gateway.alpha.baseUrl,
    });
  });

  afterAll(() => tokens.stop());

  describe('asked for Gemini', () =>
    describeTable(gateway, 'beta', {
      model: GEMINI,
      answer(answer, response, request) {
        if (!isInOrder(response, request, 'google')) return;
        answerGemini(response, request, () => ({ chunks: geminiChunks(answer) }), {
          isVertex: true,
          demandsSignatures: answer.thought !== undefined,
        });
      },
      refuse: (response) => sendJson(response, errorOf(429, 'RESOURCE_EXHAUSTED', 'Quota exceeded.'), 429),
      failWithin: (answer, response) =>
        sendEvents(response, [geminiChunks(answer)[0]!, errorOf(503, 'UNAVAILABLE', 'The model is overloaded.')]),
      cut(answer, response, { path }) {
        if (path.includes(':stream')) sendEvents(response, geminiChunks(answer).slice(0, 1));
        else sendCut(response, geminiChunks(answer)[0]!);
      },
      received: {
        text: {
          systemInstruction: { parts: [{ text: 'Be short.' }] },
          ...asked({ text: 'Weather?' }),
          generationConfig: { maxOutputTokens: 4_000 },
        },
        'a tool': {
          tools: [{ functionDeclarations: [{ name: TOOL.name, parametersJsonSchema: TOOL.parameters }] }],
        },
        'an image': asked({ text: 'What is it?' }, { inlineData: { mimeType: 'image/png', data: IMAGE } }),
        'a PDF': asked({ text: 'What is it?' }, { inlineData: { mimeType: 'application/pdf', data: PDF } }),
        thinking: { generationConfig: { thinkingConfig: { includeThoughts: true } } },
        'structured output': {
          generationConfig: { responseMimeType: 'application/json', responseJsonSchema: SCHEMA },
        },
        // Its caches are not marked in a request.
        'a mark for the cache': asked({ text: 'Weather?' }),
      },
      next: {
        'a tool': {
          contents: [
            {},
            { role: 'model', parts: [{ functionCall: CALL }] },
            { role: 'user', parts: [resultOf('7 °C')] },
          ],
        },
        'parallel tools': {
          contents: [
            {},
            { role: 'model', parts: [{ text: 'I look.' }, { functionCall: CALL }, { functionCall: OTHER }] },
            { role: 'user', parts: [resultOf('7 °C'), resultOf('8 °C')] },
          ],
        },
        thinking: {
          contents: [
            {},
            {
              role: 'model',
              parts: expect.arrayContaining([
                expect.objectContaining({ functionCall: CALL, thoughtSignature: THOUGHT }),
              ]) as object,
            },
            { role: 'user' },
          ],
        },
      },
    }));

  describe('asked for Claude', () =>
    describeTable(gateway, 'alpha', {
      model: CLAUDE,
      answer(answer, response, request) {
        if (!isInOrder(response, request, 'anthropic')) return;
        const body = request.body as Readonly<Record<string, unknown>>;
        const isStreamed = request.path.endsWith(':streamRawPredict');
        const isWrong = 'model' in body || body['anthropic_version'] !== 'vertex-2023-10-16';
        if (isWrong || (body['stream'] === true) !== isStreamed) {
          sendJson(response, errorOf(400, 'INVALID_ARGUMENT', 'Malformed input request.'), 400);
        } else if (isStreamed) sendEvents(response, claudeEvents(answer));
        else sendJson(response, claudeMessage(answer));
      },
      refuse: (response) => sendJson(response, errorOf(429, 'RESOURCE_EXHAUSTED', 'Quota exceeded.'), 429),
      failWithin: (answer, response) =>
        sendEvents(response, [
          ...claudeEvents(answer).slice(0, 3),
          { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
        ]),
      cut(answer, response, { path }) {
        if (path.includes(':stream')) sendEvents(response, claudeEvents(answer).slice(0, 3));
        else sendCut(response, claudeMessage(answer));
      },
      received: {
        text: { system: [{ type: 'text', text: 'Be short.' }], max_tokens: 4_000 },
        'a tool': { tools: [{ name: TOOL.name, input_schema: TOOL.parameters }] },
      },
      next: {
        thinking: {
          messages: [
            {},
            {
              role: 'assistant',
              content: [
                { type: 'thinking', thinking: 'I look it up.', signature: THOUGHT },
                { type: 'tool_use', id: 'tooluse_1', name: 'weather', input: { city: 'Ulm' } },
              ],
            },
            { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'tooluse_1' }] },
          ],
          thinking: { type: 'enabled' },
        },
      },
    }));

  describe('has one token', () => {
    const key = keyPerTest(gateway, organizationPerTest(gateway));

    it('for all requests that are a 200, for which the account has signed', async () => {
      gateway.beta.answerWith((response, request) => {
        if (!isInOrder(response, request, 'google')) return;
        answerGemini(response, request, () => ({ chunks: geminiChunks({ text: 'Fine.' }) }), { isVertex: true });
      });
      const ask = { model: GEMINI, provider: null };
      const answers = await Promise.all([gateway.ask(key, ask), gateway.ask(key, ask), gateway.stream(key, ask)]);

      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
      // The two connections have the same credential.
      expect(tokens.received).toHaveLength(1);
      const { form } = tokens.received[0]!;
      expect(form['grant_type']).toBe('urn:ietf:params:oauth:grant-type:jwt-bearer');
      const { payload } = await jwtVerify(form['assertion']!, publicKey, { issuer: ACCOUNT });
      expect(payload['scope']).toBe('https://www.googleapis.com/auth/cloud-platform');
      expect(gateway.app.logLines.join('\n')).not.toContain(TOKEN);
    });
  });
});
