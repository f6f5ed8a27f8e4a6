import type { ProviderProtocolName } from '../../../config/provider-variables.js';
import { CONNECTION_PRESETS } from './connection-presets.js';
import { mergedConnection } from './merged-connection.js';
import { upstreamModelOf } from './upstream-model.js';

interface Named {
  readonly models?: Readonly<Record<string, string>>;
  readonly upstreamId?: string;
  readonly isOwn?: boolean;
}

function nameAt(
  connection: Parameters<typeof upstreamModelOf>[0] | undefined,
  id: string,
  { models = {}, upstreamId, isOwn = false }: Named = {},
): string | undefined {
  const canonicalSlug = `${id.split(':')[0]}-2026`;
  return upstreamModelOf(
    { ...connection!, models: new Map(Object.entries(models)) },
    { id, canonicalSlug, upstreamId: upstreamId ?? null, isOwn },
  );
}

/** The name at a server of which only the protocol is known. */
function named(id: string, protocol: ProviderProtocolName, given?: Named): string | undefined {
  return nameAt({ protocol, models: new Map() }, id, given);
}

/** The name at a connection that a preset has made, at an address of one's own. */
function namedBy(preset: string, id: string, given?: Named): string | undefined {
  const { provider, dialect: protocol } = CONNECTION_PRESETS.get(preset)!;
  const stored = { provider, protocol, preset, baseUrl: 'http://10.0.0.1', models: {}, apiKey: null };
  return nameAt(mergedConnection(provider, { stored: stored as never, variables: undefined }), id, given);
}

describe('The name that a provider has for a model', () => {
  it.each([
    ['anthropic/claude-sonnet-4.6', 'anthropic', 'claude-sonnet-4-6'],
    ['anthropic/claude-3.7-sonnet:thinking', 'anthropic', 'claude-3-7-sonnet'],
    ['anthropic/claude-sonnet-4.6', 'openai', 'claude-sonnet-4.6'],
    ['openai/gpt-5.5', 'openai', 'gpt-5.5'],
    ['openai/gpt-5.5:free', 'anthropic', 'gpt-5.5'],
    ['acme/chat', 'gemini', 'chat'],
    ['acme/chat', 'converse', 'chat'],
  ] as const)('is for %s at a server of its own that speaks %s: %s', (id, protocol, expected) => {
    expect(named(id, protocol)).toBe(expected);
  });

  it('is that of the endpoint in the catalog before the slug', () => {
    expect(named('anthropic/claude-sonnet-4.6', 'anthropic', { upstreamId: 'sonnet@20260217' })).toBe(
      'sonnet@20260217',
    );
  });

  it('is that of the connection before any other', () => {
    const models = { 'anthropic/claude-sonnet-4.6-2026': 'sonnet.of.ours' };
    const given = { models, upstreamId: 'sonnet@20260217' };
    expect(named('anthropic/claude-sonnet-4.6', 'anthropic', given)).toBe('sonnet.of.ours');
  });
});

describe('The name that a cloud has for a model', () => {
  it.each([
    ['vertex', 'google/gemini-2.5-flash', 'gemini-2.5-flash'],
    ['vertex', 'anthropic/claude-opus-4.7', undefined],
    ['vertex-claude', 'anthropic/claude-opus-4.7', 'claude-opus-4-7'],
    ['vertex-claude', 'google/gemini-2.5-flash', undefined],
    ['vertex-openai', 'meta-llama/llama-3.3-70b-instruct', undefined],
    ['gemini', 'google/gemini-2.5-flash', 'gemini-2.5-flash'],
    ['gemini', 'anthropic/claude-opus-4.7', undefined],
    ['bedrock', 'anthropic/claude-opus-4.7', undefined],
    ['bedrock', 'amazon/nova-2-lite-v1', undefined],
    ['bedrock', 'amazon/amazon.nova-lite-v1', 'amazon.nova-lite-v1'],
    ['bedrock-claude', 'anthropic/claude-opus-4.7', undefined],
    ['bedrock-messages', 'anthropic/claude-opus-4.7', undefined],
    ['bedrock-openai', 'openai/gpt-oss-120b', undefined],
    ['azure-openai', 'openai/gpt-5.4', 'gpt-5.4'],
    ['azure-openai', 'anthropic/claude-opus-4.7', undefined],
    ['azure-openai-dated', 'anthropic/claude-opus-4.7', undefined],
    ['azure-claude', 'anthropic/claude-opus-4.7', 'claude-opus-4-7'],
    ['azure-claude', 'openai/gpt-5.4', undefined],
  ] as const)('is at %s for %s, which the catalog alone has an endpoint of: %s', (preset, id, expected) => {
    expect(namedBy(preset, id)).toBe(expected);
  });

  it.each([
    ['bedrock', 'anthropic/claude-opus-4.7', 'eu.anthropic.claude-opus-4-7-v1:0', 'eu.anthropic.claude-opus-4-7-v1:0'],
    ['vertex-openai', 'meta-llama/llama-3.3-70b-instruct', 'meta/llama-3.3', 'meta/llama-3.3'],
    // The dialect leads to models of another publisher there.
    ['vertex', 'anthropic/claude-opus-4.7', 'claude-opus-4-7', undefined],
  ])('is at %s for %s, which the catalog calls %s: %s', (preset, id, upstreamId, expected) => {
    expect(namedBy(preset, id, { upstreamId })).toBe(expected);
  });

  it.each(['vertex', 'vertex-openai', 'bedrock', 'bedrock-claude', 'azure-openai', 'azure-claude'])(
    'is at %s as the connection says, and as an endpoint of the operator says',
    (preset) => {
      expect(namedBy(preset, 'acme/tuned', { models: { 'acme/tuned': 'deployed' } })).toBe('deployed');
      expect(namedBy(preset, 'acme/tuned', { upstreamId: 'deployed', isOwn: true })).toBe('deployed');
    },
  );

  it('is the slug of a model that the operator has added, but not where no slug is a name', () => {
    expect(namedBy('vertex', 'acme/gemini-tuned', { isOwn: true })).toBe('gemini-tuned');
    expect(namedBy('bedrock', 'acme/tuned', { isOwn: true })).toBeUndefined();
  });

  it.each([
    [
      'amazon-bedrock',
      'https://bedrock-runtime.us-east-1.amazonaws.com/openai/v1',
      'openai',
      'openai/gpt-oss-120b',
      undefined,
    ],
    ['acme', 'https://bedrock-runtime.us-east-1.amazonaws.com', 'converse', 'anthropic/claude-opus-4.7', undefined],
    [
      'google-vertex',
      'https://europe-west4-aiplatform.googleapis.com/v1/projects/p/locations/l',
      'gemini',
      'anthropic/claude-opus-4.7',
      undefined,
    ],
    [
      'google-vertex',
      'https://aiplatform.eu.rep.googleapis.com/v1/projects/p/locations/l/endpoints/openapi',
      'openai',
      'google/gemini-2.5-pro',
      undefined,
    ],
    ['google-vertex', 'http://10.0.0.1', 'gemini', 'anthropic/claude-opus-4.7', undefined],
    ['google-vertex', 'http://10.0.0.1', 'openai', 'anthropic/claude-opus-4.7', 'claude-opus-4.7'],
    ['azure', 'https://acme.openai.azure.com/openai/v1', 'openai', 'anthropic/claude-opus-4.7', undefined],
    ['azure', 'https://acme.openai.azure.com/openai/v1', 'openai', 'openai/gpt-5.4', 'gpt-5.4'],
  ] as const)(
    'is at %s, connected to %s without a preset, in the protocol %s, for %s: %s',
    (provider, baseUrl, protocol, id, expected) => {
      expect(nameAt(mergedConnection(provider, { stored: undefined, variables: { baseUrl, protocol } }), id)).toBe(
        expected,
      );
    },
  );
});
