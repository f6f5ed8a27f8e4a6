import { EgressProxies } from '../../../http/outgoing/egress-proxies.js';
import type { Upstream } from '../../codecs/upstream-codec.js';
import { type UpstreamPlace, UpstreamOrigins } from './upstream-origins.js';

const ORIGIN = 'https://alpha.example';

const CALLS_PER_ORGANIZATION = 5;

describe('UpstreamOrigins', () => {
  const origins = new UpstreamOrigins(new EgressProxies(undefined), 2 * CALLS_PER_ORGANIZATION);
  const upstream = (provider: string): Upstream => ({
    provider,
    baseUrl: ORIGIN,
    apiKey: null,
    timeouts: { connect: 1, headers: 1, firstEvent: 1, gap: 1 },
  });

  afterAll(() => origins.close());

  const taken = (provider: string, organization: string, count = CALLS_PER_ORGANIZATION): UpstreamPlace[] =>
    Array.from({ length: count }, () => origins.take(upstream(provider), ORIGIN, organization));

  it('has half of the places for one organization, and leaves as many to others', () => {
    const [place] = taken('alpha', 'one');

    expect(() => taken('alpha', 'one', 1)).toThrow(expect.objectContaining({ kind: 'share_used', status: null }));
    expect(taken('alpha', 'other')).toHaveLength(CALLS_PER_ORGANIZATION);
    expect(taken('beta', 'one', 1)).toHaveLength(1);
    place!.leave();
    expect(taken('alpha', 'one', 1)).toHaveLength(1);
  });

  it('is busy when all places are taken, also for an organization without any, until one is given back', () => {
    taken('gamma', 'one');
    const [place] = taken('gamma', 'other');

    expect(() => taken('gamma', 'third', 1)).toThrow(expect.objectContaining({ kind: 'busy', status: null }));
    place!.leave();
    expect(taken('gamma', 'third', 1)).toHaveLength(1);
  });
});
