import type { CandidateEndpoint } from '../../../routing/endpoint-order.js';
import { upstreamModelOf } from './candidate.js';

function named(
  id: string,
  protocol: 'openai' | 'anthropic',
  models: Readonly<Record<string, string>> = {},
  upstreamId: string | null = null,
): string {
  const [author, slug] = id.split('/') as [string, string];
  const model = { author, row: { id, canonicalSlug: `${author}/${slug.split(':')[0]}-2026` } };
  const candidate = { model, endpoint: { row: { upstreamId } } } as CandidateEndpoint;
  return upstreamModelOf({ protocol, models: new Map(Object.entries(models)) }, candidate);
}

describe('The name that a provider has for a model', () => {
  it.each([
    ['anthropic/claude-sonnet-4.6', 'anthropic', 'claude-sonnet-4-6'],
    ['anthropic/claude-3.7-sonnet:thinking', 'anthropic', 'claude-3-7-sonnet'],
    ['anthropic/claude-sonnet-4.6', 'openai', 'claude-sonnet-4.6'],
    ['openai/gpt-5.5', 'openai', 'gpt-5.5'],
    ['openai/gpt-5.5:free', 'anthropic', 'gpt-5.5'],
  ] as const)('is for %s at one that speaks %s: %s', (id, protocol, expected) => {
    expect(named(id, protocol)).toBe(expected);
  });

  it('is that of the endpoint in the catalog before the slug', () => {
    expect(named('anthropic/claude-sonnet-4.6', 'anthropic', {}, 'sonnet@20260217')).toBe('sonnet@20260217');
  });

  it('is that of the connection before any other', () => {
    const models = { 'anthropic/claude-sonnet-4.6-2026': 'sonnet.of.ours' };
    expect(named('anthropic/claude-sonnet-4.6', 'anthropic', models, 'sonnet@20260217')).toBe('sonnet.of.ours');
  });
});
