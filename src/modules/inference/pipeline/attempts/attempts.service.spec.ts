import { ProviderError, type ProviderErrorKind } from '../../../codecs/errors/provider-error.js';
import { EndpointHealth } from '../../../routing/endpoint-health.js';
import { HeldMessages } from '../../../routing/held-messages.fixture.js';
import type { ProvidersRateLimited } from '../../inference.errors.js';
import { AttemptsService } from './attempts.service.js';
import { Outcome } from '../request/outcome.js';
import { type Candidate, endpointNameOf } from '../request/candidate.js';

const EXCHANGE = {
  request: { organizationId: 'organization', startedAt: 0, repeated: undefined },
  outcome: new Outcome(),
};

const RULES = { failed: () => undefined, mayTry: () => Promise.resolve(true) };

const candidateOf = (provider: string): Candidate =>
  ({
    model: { row: { id: 'acme/writer', canonicalSlug: 'acme/writer-1' } },
    endpoint: { row: { tag: provider }, provider: { slug: provider, name: provider } },
    isByok: false,
  }) as unknown as Candidate;

describe('AttemptsService where there is no connection left', () => {
  const health = new EndpointHealth(new HeldMessages());
  const attempts = new AttemptsService(health);
  const candidates = [candidateOf('alpha'), candidateOf('beta')];

  const failingWith = (...kinds: readonly ProviderErrorKind[]): Promise<ProvidersRateLimited> => {
    const errors = kinds.map((kind) => new ProviderError(kind, 'No connection.'));
    const call = (candidate: Candidate): Promise<never> => Promise.reject(errors[candidates.indexOf(candidate)]!);
    return attempts
      .firstAnswer(EXCHANGE, candidates, call, RULES)
      .catch((error: ProvidersRateLimited) => error) as never;
  };

  it.each<[status: number, reason: string, kinds: readonly ProviderErrorKind[]]>([
    [429, 'provider_rate_limited', ['share_used', 'share_used']],
    [503, 'provider_unavailable', ['busy', 'busy']],
    [503, 'provider_unavailable', ['share_used', 'busy']],
  ])('answers %i %s with Retry-After for %j, and says nothing about the endpoints', async (status, reason, kinds) => {
    expect(await failingWith(...kinds)).toMatchObject({ status, reason, retryAfterSeconds: 1 });
    for (const candidate of candidates) {
      expect(health.conditionOf(endpointNameOf(candidate), 'organization')).toBe('normal');
    }
  });

  it('says with the 429 that the organization has its share, where no provider has refused', async () => {
    const { shownMessage, metadata } = await failingWith('share_used', 'share_used');

    expect(shownMessage).toMatch(/the organization has as many requests open/);
    expect(metadata['previous_errors']).toEqual([
      { provider: 'alpha', code: 'share_used' },
      { provider: 'beta', code: 'share_used' },
    ]);
  });

  it('answers 503, and counts a failure only for the endpoint that was asked and did not answer', async () => {
    expect(await failingWith('busy', 'unreachable')).toMatchObject({ status: 503 });
    expect(health.conditionOf(endpointNameOf(candidates[0]!), 'organization')).toBe('normal');
    expect(health.conditionOf(endpointNameOf(candidates[1]!), 'organization')).toBe('degraded');
  });
});
