import type { CandidateEndpoint } from './endpoint-order.js';
import { HeldMessages } from './held-messages.fixture.js';
import { type Conversation, StickyEndpoints } from './sticky-endpoints.js';

const endpoint = (tag: string, model = 'acme/writer'): CandidateEndpoint =>
  ({ model: { row: { id: model } }, endpoint: { row: { tag } } }) as CandidateEndpoint;

const conversation = (name: string, organizationId = 'one'): Conversation => ({ organizationId, name });

describe('StickyEndpoints', () => {
  let messages: HeldMessages;
  let sticky: StickyEndpoints;

  beforeEach(() => {
    jest.useFakeTimers({ now: new Date('2026-01-01T00:00:00Z') });
    messages = new HeldMessages();
    sticky = new StickyEndpoints(messages);
  });

  afterEach(() => jest.useRealTimers());

  it('remembers the endpoint of a conversation with a model, for ten minutes after its last request', () => {
    sticky.remember(conversation('a'), endpoint('beta'));
    expect(sticky.knows(conversation('a'), endpoint('beta'))).toBe(true);
    expect(sticky.knows(conversation('a'), endpoint('alpha'))).toBe(false);
    expect(sticky.knows(conversation('a'), endpoint('beta', 'acme/spare'))).toBe(false);
    expect(sticky.knows(conversation('a', 'two'), endpoint('beta'))).toBe(false);

    jest.advanceTimersByTime(500_000);
    sticky.remember(conversation('a'), endpoint('beta'));
    jest.advanceTimersByTime(500_000);
    expect(sticky.knows(conversation('a'), endpoint('beta'))).toBe(true);
    jest.advanceTimersByTime(101_000);
    expect(sticky.knows(conversation('a'), endpoint('beta'))).toBe(false);
  });

  it('forgets the oldest conversations of an organization that has too many, and none of another', () => {
    sticky.remember(conversation('a', 'other'), endpoint('beta'));
    for (let index = 0; index < 1_001; index += 1) sticky.remember(conversation(`${index}`), endpoint('beta'));

    expect(sticky.knows(conversation('0'), endpoint('beta'))).toBe(false);
    expect(sticky.knows(conversation('1'), endpoint('beta'))).toBe(true);
    expect(sticky.knows(conversation('a', 'other'), endpoint('beta'))).toBe(true);
  });

  it('sends other replicas a bounded number of conversations of each organization, once', () => {
    for (let index = 0; index < 100; index += 1) sticky.remember(conversation(`${index}`, 'busy'), endpoint('beta'));
    sticky.remember(conversation('a', 'quiet'), endpoint('beta'));
    const sent = messages.channel.take() as [string, string, string][];

    expect(sent.filter(([organizationId]) => organizationId === 'busy')).toHaveLength(25);
    expect(sent.at(-1)).toEqual(['quiet', 'a acme/writer', 'beta']);
    expect(messages.channel.take()).toBeUndefined();
  });

  it('learns from other replicas, for as long as they remember it', () => {
    const received = ['one', 'a acme/writer', 'beta'];
    messages.channel.receive([received], Date.now() - 540_000);
    expect(sticky.knows(conversation('a'), endpoint('beta'))).toBe(true);
    jest.advanceTimersByTime(61_000);
    expect(sticky.knows(conversation('a'), endpoint('beta'))).toBe(false);
  });

  it.each([[null], ['text'], [{}], [[null, 1, ['one', 'a acme/writer'], ['one', 2, 'beta'], {}]]])(
    'ignores what it does not understand: %j',
    (message) => {
      messages.channel.receive(message, Date.now());
      expect(sticky.knows(conversation('a'), endpoint('beta'))).toBe(false);
      expect(messages.channel.take()).toBeUndefined();
    },
  );
});
