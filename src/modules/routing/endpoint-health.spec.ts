import { EndpointHealth } from './endpoint-health.js';
import { HeldMessages } from './held-messages.fixture.js';

const ENDPOINT = 'acme/writer alpha';

/** The organization that asks, unless a test names others. */
const ASKER = 'asker';

/** A moment, in milliseconds since the epoch. */
const NOW = Date.parse('2026-01-01T00:00:00Z');

describe('EndpointHealth', () => {
  let messages: HeldMessages;
  let health: EndpointHealth;

  beforeEach(() => {
    messages = new HeldMessages();
    health = new EndpointHealth(messages);
  });

  const failBy = (organizationId: string, count: number, at = NOW): void => {
    for (let attempt = 0; attempt < count; attempt += 1) health.record(ENDPOINT, organizationId, false, at);
  };

  const succeedBy = (organizationId: string, count: number, at = NOW + 1): void => {
    for (let attempt = 0; attempt < count; attempt += 1) health.record(ENDPOINT, organizationId, true, at);
  };

  const record = (good: number, bad: number, at = NOW): void => {
    for (let attempt = 0; attempt < bad; attempt += 1) health.record(ENDPOINT, ASKER, false, at);
    for (let attempt = 0; attempt < good; attempt += 1) health.record(ENDPOINT, ASKER, true, at + 1);
  };

  it.each([
    ['normal', 0, 0],
    ['normal', 95, 5],
    ['degraded', 94, 6],
    ['degraded', 80, 20],
    ['down', 79, 21],
    ['normal', 79, 20],
  ])('is %s after %i good and %i bad attempts, of which one hundred say something', (condition, good, bad) => {
    record(good, bad);
    expect(health.conditionOf(ENDPOINT, ASKER, NOW + 2)).toBe(condition);
  });

  it('is to be asked again after as long as it has failed, at most 30 seconds, and at once after a success', () => {
    const waitFor = (now: number, whose = ASKER): number => health.waitFor(ENDPOINT, whose, NOW + now);
    expect(waitFor(0)).toBe(0);
    const waits = [0, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 62_000].map((at) => {
      failBy(ASKER, 1, NOW + at);
      return waitFor(at);
    });
    expect(waits).toEqual([0, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
    // What another fails with may be its own fault.
    expect(waitFor(62_000, 'other')).toBe(0);
    succeedBy('other', 1, NOW + 62_001);
    expect(waitFor(62_002)).toBe(0);
    failBy(ASKER, 1, NOW + 62_003);
    expect(waitFor(62_004)).toBe(1);
    // An outage that is over is another one.
    failBy(ASKER, 1, NOW + 122_003);
    expect(waitFor(122_003)).toBe(0);
  });

  it('is degraded for 30 seconds after a failure that no success has followed', () => {
    health.record(ENDPOINT, ASKER, false, NOW);
    expect(health.conditionOf(ENDPOINT, ASKER, NOW + 29_999)).toBe('degraded');
    expect(health.conditionOf(ENDPOINT, ASKER, NOW + 30_000)).toBe('normal');
    health.record(ENDPOINT, ASKER, true, NOW + 10);
    expect(health.conditionOf(ENDPOINT, ASKER, NOW + 20)).toBe('normal');
  });

  it('is what it was for others after any number of failures of one organization, and down for that one', () => {
    failBy('attacker', 500);
    expect(health.conditionOf(ENDPOINT, ASKER, NOW + 2)).toBe('normal');
    record(79, 0);
    expect(health.conditionOf(ENDPOINT, ASKER, NOW + 2)).toBe('normal');
    expect(health.conditionOf(ENDPOINT, 'attacker', NOW + 2)).toBe('down');
  });

  it.each([
    ['normal', 1],
    ['degraded', 2],
    ['degraded', 7],
    ['down', 9],
  ])(
    'is %s after 95 good attempts of others, %i failures of another one and the many of two that conspire',
    (condition, bad) => {
      failBy('attacker', 500);
      failBy('accomplice', 500);
      succeedBy('happy', 95);
      expect(health.conditionOf(ENDPOINT, ASKER, NOW + 2)).toBe('normal');
      failBy('other', bad);
      succeedBy('happy', 1, NOW + 2);
      expect(health.conditionOf(ENDPOINT, ASKER, NOW + 3)).toBe(condition);
    },
  );

  it('is what an organization has seen itself for 30 seconds after a success of its own, however many others fail', () => {
    for (let index = 0; index < 20; index += 1) failBy(`organization-${index}`, 100);
    succeedBy(ASKER, 1);
    expect(health.conditionOf(ENDPOINT, ASKER, NOW + 30_000)).toBe('normal');
    expect(health.conditionOf(ENDPOINT, ASKER, NOW + 30_001)).toBe('down');
    expect(health.conditionOf(ENDPOINT, 'newcomer', NOW + 2)).toBe('down');
    failBy(ASKER, 100, NOW + 2);
    expect(health.conditionOf(ENDPOINT, ASKER, NOW + 3)).toBe('down');
  });

  it('is down for one that has not asked when many organizations see an outage', () => {
    succeedBy('happy', 100, NOW - 60_000);
    for (let index = 0; index < 5; index += 1) failBy(`organization-${index}`, 10);
    expect(health.conditionOf(ENDPOINT, ASKER, NOW + 2)).toBe('down');
  });

  it('is degraded for an organization that has not asked when three others have failed, until an attempt is good', () => {
    failBy('one', 1);
    failBy('other', 1);
    expect(health.conditionOf(ENDPOINT, ASKER, NOW)).toBe('normal');
    failBy('third', 1, NOW + 1);
    expect(health.conditionOf(ENDPOINT, ASKER, NOW + 2)).toBe('degraded');
    expect(health.conditionOf(ENDPOINT, ASKER, NOW + 29_999)).toBe('degraded');
    expect(health.conditionOf(ENDPOINT, ASKER, NOW + 30_001)).toBe('normal');
    succeedBy('fourth', 1, NOW + 2);
    expect(health.conditionOf(ENDPOINT, ASKER, NOW + 4)).toBe('normal');
  });

  it('is down for all when more organizations fail than are told apart', () => {
    for (let index = 0; index < 101; index += 1) failBy(`organization-${index}`, 1);
    expect(health.conditionOf(ENDPOINT, ASKER, NOW + 2)).toBe('down');
  });

  it('keeps apart the organizations of which it hears from other replicas, and believes older ones that name none', () => {
    failBy('attacker', 500);
    const others = new HeldMessages();
    const elsewhere = new EndpointHealth(others);
    others.channel.receive(JSON.parse(JSON.stringify(messages.channel.take())), NOW);
    expect(elsewhere.conditionOf(ENDPOINT, ASKER, NOW)).toBe('normal');
    expect(elsewhere.conditionOf(ENDPOINT, 'attacker', NOW)).toBe('down');
    others.channel.receive([[ENDPOINT, 0, 100, false]], NOW);
    expect(elsewhere.conditionOf(ENDPOINT, ASKER, NOW)).toBe('down');
  });

  it('forgets attempts after five minutes, and says nothing of other endpoints', () => {
    record(0, 100);
    expect(health.conditionOf(ENDPOINT, ASKER, NOW + 240_000)).toBe('down');
    expect(health.conditionOf(ENDPOINT, ASKER, NOW + 300_000)).toBe('normal');
    expect(health.conditionOf('acme/writer beta', ASKER, NOW + 2)).toBe('normal');
  });

  it('sends attempts to other replicas once, which count them as their own', () => {
    record(79, 21);
    const sent = messages.channel.take();
    const [others, other] = [new HeldMessages(), NOW + 200];
    const elsewhere = new EndpointHealth(others);
    others.channel.receive(JSON.parse(JSON.stringify(sent)), other);

    expect(sent).toEqual([[ENDPOINT, 79, 21, true, [[ASKER, 21]]]]);
    expect(messages.channel.take()).toBeUndefined();
    expect(elsewhere.conditionOf(ENDPOINT, ASKER, other)).toBe('down');
    expect(others.channel.take()).toBeUndefined();
  });

  it('takes what it hears late for what was then', () => {
    record(79, 21);
    messages.channel.receive([[ENDPOINT, 0, 1, false]], NOW - 1_000);
    expect(health.conditionOf(ENDPOINT, ASKER, NOW + 2)).toBe('down');
    record(21, 0, NOW + 300_000);
    messages.channel.receive([[ENDPOINT, 0, 100, false]], NOW);
    expect(health.conditionOf(ENDPOINT, ASKER, NOW + 300_002)).toBe('normal');
  });

  it('sends a bounded number of endpoints in one message, and the others in the next', () => {
    for (let index = 0; index < 150; index += 1) health.record(`acme/writer ${index}`, ASKER, true, NOW);

    expect(messages.channel.take()).toHaveLength(100);
    expect(messages.channel.take()).toHaveLength(50);
    expect(messages.channel.take()).toBeUndefined();
  });

  it.each([
    [null],
    ['text'],
    [
      [
        null,
        {},
        [ENDPOINT],
        [ENDPOINT, 0, 1e300, false],
        [ENDPOINT, 0, -1, false],
        [ENDPOINT, 0, 1, 'no'],
        [ENDPOINT, 0, 1, false, [[1, 2]]],
      ],
    ],
  ])('ignores what it does not understand: %j', (message) => {
    messages.channel.receive(message, NOW);
    expect(health.conditionOf(ENDPOINT, ASKER, NOW)).toBe('normal');
  });
});
