import { addressed, type AddressForm } from './operation-address.js';

const CHAT = { path: '/chat/completions', body: { model: 'gpt 5/eu', messages: [] } };
const MESSAGES = {
  path: '/messages',
  headers: { 'anthropic-beta': 'context-1m-2025-08-07,interleaved-thinking-2025-05-14' },
  body: { model: 'us.anthropic.claude-v1:0', max_tokens: 5, stream: true, messages: [] },
};
const AZURE: AddressForm = { form: 'azure-deployment', apiVersion: '2024-10-21' };
const VERTEX: AddressForm = { form: 'vertex', project: 'acme', location: 'europe-west4' };

describe('The address of a request', () => {
  it('is added to the base URL without a form', () => {
    expect(addressed(CHAT, undefined, 'openai', false)).toBe(CHAT);
  });

  it('has the deployment of Azure in the path and the version in the query', () => {
    expect(addressed(CHAT, AZURE, 'openai', false)).toEqual({
      ...CHAT,
      path: '/deployments/gpt%205%2Feu/chat/completions?api-version=2024-10-21',
    });
  });

  it('has no deployment of Azure in the path of the Responses interface', () => {
    const request = { path: '/responses', body: { model: 'gpt-5', input: [] } };
    expect(addressed(request, AZURE, 'openai-responses', false).path).toBe('/responses?api-version=2024-10-21');
  });

  it.each([
    ['openai', '/chat/completions', '/projects/acme/locations/europe-west4/endpoints/openapi/chat/completions'],
    [
      'gemini',
      '/models/gemini-3:streamGenerateContent?alt=sse',
      '/projects/acme/locations/europe-west4/publishers/google/models/gemini-3:streamGenerateContent?alt=sse',
    ],
  ] as const)('has the project and the location of Vertex for %s', (dialect, path, expected) => {
    expect(addressed({ path, body: { model: 'm' } }, VERTEX, dialect, false)).toEqual({
      path: expected,
      body: { model: 'm' },
    });
  });

  it.each([
    [false, 'rawPredict'],
    [true, 'streamRawPredict'],
  ])('has the model and the operation of Claude on Vertex; streamed: %s', (isStreamed, operation) => {
    expect(addressed(MESSAGES, VERTEX, 'anthropic', isStreamed)).toEqual({
      path: `/projects/acme/locations/europe-west4/publishers/anthropic/models/us.anthropic.claude-v1%3A0:${operation}`,
      headers: MESSAGES.headers,
      body: { anthropic_version: 'vertex-2023-10-16', max_tokens: 5, stream: true, messages: [] },
    });
  });

  it.each([
    [false, 'invoke'],
    [true, 'invoke-with-response-stream'],
  ])('has the model and the operation of Bedrock, and the betas in the body; streamed: %s', (isStreamed, operation) => {
    expect(addressed(MESSAGES, { form: 'bedrock-invoke' }, 'anthropic', isStreamed)).toEqual({
      path: `/model/us.anthropic.claude-v1%3A0/${operation}`,
      headers: { accept: '*/*' },
      body: {
        anthropic_version: 'bedrock-2023-05-31',
        anthropic_beta: ['context-1m-2025-08-07', 'interleaved-thinking-2025-05-14'],
        max_tokens: 5,
        messages: [],
      },
    });
  });
});
