import { DeliveryService } from '../../../src/modules/observability/delivery/sending/delivery.service.js';
import { OutboxUpkeep } from '../../../src/modules/observability/delivery/outbox/outbox-upkeep.service.js';
import type { DestinationDeliveries } from '../../../src/modules/observability/dto/deliveries.dto.js';
import type { ObservabilityDestination } from '../../../src/modules/observability/dto/destination.dto.js';
import type { NewOrganization } from '../../../src/modules/installation/installation.service.js';
import type { IssuedCredential } from '../../../src/modules/keys/keys.service.js';
import type { DecodedRequest } from '../../support/delivery/trace-requests.js';
import { newDestination } from '../../support/resources/destinations.js';
import { filledBefore } from '../../support/application/filled-before.js';
import { BroadcastingGateway } from './broadcasting-gateway.js';

/** The id of the generation that a request to the receiver carries alone. */
const OF_BAD = 'bad-generation';

describe('a receiver that does not take what it is sent', () => {
  const broadcasting = filledBefore(beforeAll, () => BroadcastingGateway.start());
  let organization: NewOrganization;
  let key: IssuedCredential;
  beforeEach(async () => {
    broadcasting.reset();
    await broadcasting.app
      .rows('DELETE FROM organizations WHERE id IN (SELECT organization_id FROM broadcast_queues)')
      .catch(() => undefined);
    await broadcasting.app.rows('DELETE FROM broadcast_deliveries');
    await broadcasting.app.rows('DELETE FROM broadcast_events');
    ({ organization, key } = await broadcasting.broadcasting());
  });
  afterAll(() => broadcasting.stop());

  const deliveries = ({ id }: { readonly id: string }): Promise<DestinationDeliveries> =>
    broadcasting.deliveriesOf(organization, id);

  async function destination(id: string): Promise<ObservabilityDestination> {
    const answer = await broadcasting.app.api.get<{ data: ObservabilityDestination }>(
      `/observability/destinations/${id}`,
      { key: organization.managementKey },
    );
    return answer.body.data;
  }

  const collector = (): Promise<ObservabilityDestination> =>
    newDestination(broadcasting.app, organization, 'otel-collector', {
      config: { endpoint: `${new URL(broadcasting.receiver.baseUrl).origin}/v1/traces` },
    });

  async function ask(count: number): Promise<void> {
    for (let number = 0; number < count; number += 1) await broadcasting.gateway.ask(key, { user: `user-${number}` });
  }

  it.each([503, 429, 500, 408])(
    'is tried again after a %i (503, 429, 500, 408), and then gets everything',
    async (status) => {
      const webhook = await broadcasting.webhook(organization);
      await ask(2);
      broadcasting.receiver.answerWith((response) => void response.writeHead(status).end('later'));
      await broadcasting.deliver();
      const failing = await deliveries(webhook);
      expect(failing).toMatchObject({ state: 'retrying', waiting: 2, delivered: 0, dropped: 0, last_success_at: null });
      expect(failing.next_try_at).not.toBeNull();
      expect((await destination(webhook.id)).delivery_state).toBe('retrying');

      broadcasting.reset();
      await broadcasting.deliver();
      expect(broadcasting.receiver.received).toEqual([]);
      await broadcasting.skipWaiting();
      await broadcasting.deliver();
      expect(broadcasting.receiver.received).toHaveLength(2);
      expect(await deliveries(webhook)).toMatchObject({ state: 'active', waiting: 0, delivered: 2, next_try_at: null });
    },
  );

  it('is left alone for as long as it asks with a 429', async () => {
    const webhook = await broadcasting.webhook(organization);
    await ask(1);
    broadcasting.receiver.answerWith((response) => void response.writeHead(429, { 'retry-after': '600' }).end());
    await broadcasting.deliver();
    const { next_try_at } = await deliveries(webhook);
    const seconds = (Date.parse(next_try_at!) - Date.now()) / 1000;
    expect(seconds).toBeGreaterThan(590);
    expect(seconds).toBeLessThanOrEqual(601);
  });

  it('is tried with one generation alone after five failures (503)', async () => {
    await broadcasting.webhook(organization);
    await ask(3);
    broadcasting.receiver.answerWith((response) => void response.writeHead(503).end());
    for (let failure = 0; failure < 5; failure += 1) {
      await broadcasting.skipWaiting();
      await broadcasting.deliver();
    }
    broadcasting.receiver.received.length = 0;
    await broadcasting.skipWaiting();
    await broadcasting.deliver();
    expect(broadcasting.receiver.received).toHaveLength(1);
  });

  it('gets all the rest in one request once one generation alone has arrived (200) after five failures (503)', async () => {
    await collector();
    await ask(4);
    broadcasting.receiver.answerWith((response) => void response.writeHead(503).end());
    for (let failure = 0; failure < 5; failure += 1) {
      await broadcasting.skipWaiting();
      await broadcasting.deliver();
    }
    broadcasting.reset();
    broadcasting.receiver.answerJson({});
    await broadcasting.skipWaiting();
    await broadcasting.deliver();
    const sizes = broadcasting.receiver.received.map(({ body }) => (body as DecodedRequest).resourceSpans.length);
    expect(sizes).toEqual([1, 3]);
  });

  it('leaves its destination paused (401) while it cannot be reached (503), so that the audit trail tells the pause once', async () => {
    const webhook = await broadcasting.webhook(organization);
    await ask(1);
    for (const status of [401, 503, 401]) {
      broadcasting.receiver.answerWith((response) => void response.writeHead(status).end());
      await broadcasting.skipWaiting();
      await broadcasting.deliver();
      expect(await deliveries(webhook)).toMatchObject({ state: 'paused', last_failure: { status } });
    }
    const pauses = await broadcasting.app.rows(
      "SELECT id FROM audit_events WHERE action = 'observability_destination.pause' AND target_id = $1",
      [webhook.id],
    );
    expect(pauses).toHaveLength(1);
  });

  it('is not taken for one that fails when it wants fewer requests (429), however often: all is tried again at once', async () => {
    const { id } = await broadcasting.webhook(organization);
    await ask(3);
    broadcasting.receiver.answerWith((response) => void response.writeHead(429).end());
    for (let time = 0; time < 6; time += 1) {
      await broadcasting.skipWaiting();
      await broadcasting.deliver();
    }
    const failures = await broadcasting.app.rows('SELECT failures FROM broadcast_queues WHERE destination_id = $1', [
      id,
    ]);
    expect(failures).toEqual([{ failures: 0 }]);
    broadcasting.receiver.received.length = 0;
    await broadcasting.skipWaiting();
    await broadcasting.deliver();
    // One that fails would be asked with one generation alone.
    expect(broadcasting.receiver.received).toHaveLength(3);
  });

  it.each([401, 403, 404, 302])(
    'pauses its destination with a %i (401, 403, 404, 302), which the audit trail tells once',
    async (status) => {
      const webhook = await broadcasting.webhook(organization);
      await ask(2);
      broadcasting.receiver.answerWith(
        (response) => void response.writeHead(status, { location: 'http://127.0.0.1:9/' }).end('who are you?'),
      );
      for (let turn = 0; turn < 2; turn += 1) {
        await broadcasting.skipWaiting();
        await broadcasting.deliver();
      }
      expect(await deliveries(webhook)).toMatchObject({
        state: 'paused',
        waiting: 2,
        dropped: 0,
        last_failure: { status, message: expect.stringContaining('who are you?') as string },
      });
      expect((await destination(webhook.id)).delivery_state).toBe('paused');
      const pauses = await broadcasting.app.rows(
        "SELECT actor_kind FROM audit_events WHERE action = 'observability_destination.pause' AND target_id = $1",
        [webhook.id],
      );
      expect(pauses).toEqual([{ actor_kind: 'service' }]);

      broadcasting.reset();
      await broadcasting.patch(organization, webhook.id, { name: 'Changed' });
      await broadcasting.deliver();
      expect(broadcasting.receiver.received).toHaveLength(2);
      expect(await deliveries(webhook)).toMatchObject({ state: 'active', last_failure: null });
    },
  );

  it('is never asked again after a 410, until its destination is changed', async () => {
    const webhook = await broadcasting.webhook(organization);
    await ask(1);
    broadcasting.receiver.answerWith((response) => void response.writeHead(410).end());
    await broadcasting.deliver();
    expect(await deliveries(webhook)).toMatchObject({ state: 'gone', waiting: 1, next_try_at: null });
    const [row] = await broadcasting.app.rows<{ far: boolean }>(
      "SELECT next_at > now() + interval '50 years' AS far FROM broadcast_queues WHERE destination_id = $1",
      [webhook.id],
    );
    expect(row!.far).toBe(true);
  });

  it('refuses one generation of many (400), which is given up alone', async () => {
    const { id } = await collector();
    await ask(20);
    await broadcasting.gateway.ask(key, { user: OF_BAD });
    await ask(20);
    let requests = 0;
    broadcasting.receiver.answerWith((response, { body }) => {
      requests += 1;
      const isBad = JSON.stringify(body).includes(OF_BAD);
      response.writeHead(isBad ? 400 : 200, { 'content-type': 'application/json' }).end(isBad ? 'no' : '{}');
    });
    await broadcasting.deliver();
    expect(await deliveries({ id })).toMatchObject({
      state: 'active',
      waiting: 0,
      delivered: 40,
      dropped: 1,
      last_failure: { status: 400 },
    });
    expect(requests).toBeLessThanOrEqual(1 + 2 * Math.ceil(Math.log2(41)));
  });

  it('fails on one generation of many (500), which is given up when it has failed five times', async () => {
    const { id } = await collector();
    let timesAlone = 0;
    broadcasting.receiver.answerWith((response, { body }) => {
      const isBad = JSON.stringify(body).includes(OF_BAD);
      if (isBad && (body as DecodedRequest).resourceSpans.length === 1) timesAlone += 1;
      response.writeHead(isBad ? 500 : 200, { 'content-type': 'application/json' }).end('{}');
    });
    await broadcasting.gateway.ask(key, { user: OF_BAD });
    for (let turn = 1; turn <= 6; turn += 1) {
      expect((await deliveries({ id })).waiting).toBe(turn <= 5 ? 1 : 0);
      await ask(3);
      await broadcasting.skipWaiting();
      await broadcasting.deliver();
      // There is no sixth time.
      expect(timesAlone).toBe(Math.min(turn, 5));
    }
    expect(await deliveries({ id })).toMatchObject({ state: 'active', waiting: 0, delivered: 18, dropped: 1 });
  });

  it('takes a batch (200) without keeping all of it, which its deliveries say until it is changed', async () => {
    const { id } = await collector();
    await ask(2);
    const partialSuccess = { rejectedSpans: '3', errorMessage: 'attribute too long' };
    broadcasting.receiver.answerJson({ partialSuccess });
    await broadcasting.deliver();
    const said = 'HTTP 200: 3 spans were not kept. attribute too long';
    const { last_partial_success: last, ...counts } = await deliveries({ id });
    expect(counts).toMatchObject({ state: 'active', waiting: 0, delivered: 2, dropped: 0, rejected_spans: 3 });
    expect(last).toEqual({ message: said, delivered_at: expect.stringMatching(/Z$/) as string });

    broadcasting.receiver.answerJson({});
    await ask(1);
    await broadcasting.deliver();
    expect(await deliveries({ id })).toMatchObject({ delivered: 3, rejected_spans: 3, last_partial_success: last });
    await broadcasting.patch(organization, id, { name: 'Changed' });
    expect(await deliveries({ id })).toMatchObject({ rejected_spans: 3, last_partial_success: null });
  });

  it('pauses its destination when it refuses everything (400), and loses next to nothing', async () => {
    const { id } = await collector();
    await ask(12);
    broadcasting.receiver.answerWith((response) => void response.writeHead(400).end('wrong project'));
    await broadcasting.deliver();
    expect(await deliveries({ id })).toMatchObject({ state: 'paused', waiting: 12, dropped: 0 });
  });

  it('holds up no other destination, which answers 200', async () => {
    await broadcasting.webhook(organization, {}, '/slow');
    await broadcasting.webhook(organization, {}, '/quick');
    await ask(1);
    let release: (() => void) | undefined;
    broadcasting.receiver.answerWith((response, { path }) => {
      const end = (): void => void response.writeHead(200).end('{}');
      if (path === '/slow') release = end;
      else end();
    });
    const service = broadcasting.app.application.get(DeliveryService);
    await service.poll();
    // What is delivered to both at the same moment is cleared away later.
    while (release === undefined || (await broadcasting.waiting()).deliveries > 1) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    release();
    await service.drained();
    expect(await broadcasting.waiting()).toEqual({ events: 0, deliveries: 0 });
  });

  it('gets each generation once from two replicas, and answers 200', async () => {
    await collector();
    await broadcasting.webhook(organization);
    await ask(30);
    const replica = await broadcasting.gateway.replica({ ALLOW_PRIVATE_DESTINATIONS: 'true' });
    await Promise.all([broadcasting.deliver(), broadcasting.deliver(replica), broadcasting.deliver()]);
    await replica.stop();
    expect(broadcasting.receivedAt('/traces')).toHaveLength(30);
    expect(broadcasting.receivedAt('/v1/traces')).toHaveLength(1);
    expect(await broadcasting.waiting()).toEqual({ events: 0, deliveries: 0 });
  });

  it('gets from another process what one that is gone had leased', async () => {
    const webhook = await broadcasting.webhook(organization);
    await ask(1);
    await broadcasting.app.rows(
      `UPDATE broadcast_queues SET lease_id = gen_random_uuid(), lease_until = now() + interval '1 minute' WHERE destination_id = $1`,
      [webhook.id],
    );
    await broadcasting.deliver();
    expect(broadcasting.receiver.received).toEqual([]);
    await broadcasting.app.rows(
      "UPDATE broadcast_queues SET lease_until = now() - interval '1 s' WHERE destination_id = $1",
      [webhook.id],
    );
    await broadcasting.deliver();
    expect(broadcasting.receiver.received).toHaveLength(1);
  });

  it('does not get what has waited for longer than a day, as its deliveries say (200)', async () => {
    const webhook = await broadcasting.webhook(organization);
    await ask(3);
    for (const table of ['broadcast_events', 'broadcast_deliveries']) {
      await broadcasting.app.rows(`UPDATE ${table} SET enqueued_at = now() - interval '25 hours'`);
    }
    await broadcasting.app.application.get(OutboxUpkeep).tidy();
    await broadcasting.deliver();
    expect(broadcasting.receiver.received).toEqual([]);
    expect(await deliveries(webhook)).toMatchObject({ waiting: 0, dropped: 3 });
    expect(await broadcasting.waiting()).toEqual({ events: 0, deliveries: 0 });
  });

  it('costs one lease with a configuration that cannot be decrypted, as its deliveries say (200), and the others nothing', async () => {
    const broken = await broadcasting.webhook(organization, {}, '/broken');
    await broadcasting.webhook(organization, {}, '/other');
    await ask(1);
    await broadcasting.app.rows(
      'UPDATE observability_destinations SET encrypted_config = overlay(encrypted_config placing $2 from 20) WHERE id = $1',
      [broken.id, Buffer.from('broken')],
    );
    await broadcasting.deliver();
    expect(await deliveries(broken)).toMatchObject({
      state: 'paused',
      waiting: 1,
      last_failure: { status: null, message: 'The configuration cannot be decrypted.' },
    });
    expect(broadcasting.receivedAt('/other')).toHaveLength(1);
  });

  it('gets what waits from a process that stops', async () => {
    await broadcasting.webhook(organization);
    await ask(3);
    const replica = await broadcasting.gateway.replica({ ALLOW_PRIVATE_DESTINATIONS: 'true' });
    await replica.application.get(DeliveryService).stop();
    await replica.stop();
    expect(broadcasting.receiver.received).toHaveLength(3);
  });
});
