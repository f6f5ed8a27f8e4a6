import { Webhook } from 'standardwebhooks';
import type { IssuedCredential } from '../../../src/modules/keys/keys.service.js';
import { keyPerTest, organizationPerTest } from '../../support/application/shared-organization.js';
import { until } from '../../support/time/until.js';
import { recordUsed } from '../usage/used-generations.js';
import { sharedAlertingGateway } from './shared-alerting-gateway.js';

describe('alerts on budgets', () => {
  const alerting = sharedAlertingGateway();
  const organization = organizationPerTest({
    get factory() {
      return alerting.app.factory;
    },
  });
  const key = keyPerTest(
    {
      get factory() {
        return alerting.app.factory;
      },
    },
    organization,
  );

  const spend = (costUsd: string, by: IssuedCredential = key): Promise<void> =>
    recordUsed(alerting.app, organization, by, [{ costUsd }]);

  const budget = (limitUsd: number, interval: 'lifetime' | 'monthly' | 'daily' = 'monthly'): Promise<void> =>
    alerting.app.factory.budget(organization.organizationId, organization.workspaceId, interval, limitUsd);

  const thresholds = (): unknown[] => alerting.sent.map(({ data }) => data['threshold']);

  /** How many limits are noted to have refused. */
  const refusals = async (): Promise<number> => {
    const rows = await alerting.app.rows('SELECT 1 FROM limit_refusals WHERE organization_id = $1', [
      organization.organizationId,
    ]);
    return rows.length;
  };

  const notifications = (): Promise<{ threshold: number; passed: boolean }[]> =>
    alerting.app.rows(
      'SELECT threshold, data IS NULL AS passed FROM alert_notifications WHERE organization_id = $1 ORDER BY threshold',
      [organization.organizationId],
    );

  it('notify a webhook of a share of the budget of a workspace', async () => {
    await budget(10);
    const alert = await alerting.alert(organization);
    await spend('7.99');
    await alerting.notify();
    expect(alerting.sent).toEqual([]);

    await spend('0.01');
    await alerting.notify();
    const [sent, ...others] = alerting.sent;
    expect(others).toEqual([]);
    const first = new Date();
    expect(sent).toEqual({
      type: 'alert.budget',
      id: expect.stringMatching(/^[0-9a-f-]{36}$/) as unknown,
      occurred_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) as unknown,
      alert: { id: alert.id, name: 'Budgets', kind: 'budget' },
      data: {
        scope: 'workspace',
        workspace: { id: organization.workspaceId, name: 'Default' },
        interval: 'monthly',
        window_start: new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth())).toISOString(),
        limit_usd: 10,
        spent_usd: 8,
        share: 0.8,
        threshold: 0.8,
        refusing: false,
      },
    });
    expect(alerting.receiver.received[0]!.headers).toMatchObject({ 'webhook-id': sent!.id });
  });

  describe('on a limit that refuses requests (402) before it is spent', () => {
    /** May cost more than a limit of a ten-thousandth of a dollar, and is refused. */
    const refuse = async (by: IssuedCredential): Promise<void> => {
      const { status } = await alerting.gateway.ask(by, { max_tokens: 100 });
      expect(status).toBe(402);
    };

    it('notify that once, and tell what is really spent', async () => {
      const limited = await alerting.app.factory.key(organization, {
        name: 'Nightly',
        limitUsd: 0.0001,
        limitReset: 'daily',
      });
      await alerting.alert(organization);
      await spend('0.0000864', limited);
      await alerting.notify();
      expect(thresholds()).toEqual([0.8]);

      await refuse(limited);
      await until(async () => (await refusals()) === 1);
      for (let time = 0; time < 3; time += 1) {
        await alerting.notify();
        await refuse(limited);
      }
      expect(alerting.sent.map(({ data }) => [data['threshold'], data['share'], data['refusing']])).toEqual([
        [0.8, 0.864, false],
        [1, 0.864, true],
      ]);
      await spend('0.0000136', limited);
      await alerting.notify();
      expect(alerting.sent).toHaveLength(2);
    });

    it('notify it also where no threshold is met, nor named', async () => {
      await budget(0.0001);
      await alerting.alert(organization, { thresholds: [0.5, 2] });
      await refuse(key);
      await until(async () => (await refusals()) === 1);
      await alerting.notify();
      expect(alerting.sent.map(({ data }) => data)).toMatchObject([
        { scope: 'workspace', threshold: 1, share: 0, refusing: true },
      ]);
      expect(await notifications()).toEqual([
        { threshold: 0.5, passed: true },
        { threshold: 1, passed: false },
      ]);
    });

    it('notify it of the budget of a guardrail that has refused, for that holder', async () => {
      const settings = { name: 'Careful', limit_usd: 0.0001, reset_interval: 'monthly' as const };
      const { id } = await alerting.app.factory.guardrail(organization, settings);
      const other = await alerting.app.factory.key(organization);
      for (const one of [key, other]) await alerting.gateway.assign(organization, one, id);
      await alerting.alert(organization, { guardrail_id: id });
      await refuse(key);
      await until(async () => (await refusals()) === 1);
      await alerting.notify();
      expect(alerting.sent.map(({ data }) => data)).toMatchObject([
        { guardrail: { id }, key: { hash: key.hash }, refusing: true },
      ]);
    });

    it('notify nothing of a refusal in a window that is over, and write nothing down where there is no alert', async () => {
      await budget(0.0001, 'daily');
      await refuse(key);
      await alerting.alert(organization);
      expect(await refusals()).toBe(0);
      await alerting.app.rows(
        `INSERT INTO limit_refusals (organization_id, limit_name, first_day, refused_at)
          VALUES ($1, 'workspace/' || $2 || '/daily', (now() AT TIME ZONE 'UTC')::date - 1, now() - interval '1 day')`,
        [organization.organizationId, organization.workspaceId],
      );
      await alerting.notify();
      expect(alerting.sent).toEqual([]);
    });

    it('say so in mails', async () => {
      await budget(0.0001);
      await alerting.mailedAlert(organization, 'ops@example.com');
      await refuse(key);
      await until(async () => (await refusals()) === 1);
      await alerting.notify();
      expect(alerting.mail.received.map(({ text }) => text).join('')).toContain('is spent, and it refuses requests');
    });
  });

  it('notify of what requests of inference really spend, as answers with a 200 say', async () => {
    await budget(1);
    await alerting.alert(organization, { thresholds: [0.00001] });
    const answer = await alerting.gateway.ask(key);
    expect(answer.status).toBe(200);

    await alerting.notify();
    expect(alerting.sent.map(({ data }) => data)).toMatchObject([{ spent_usd: answer.body.usage.cost }]);
  });

  it('notify each threshold once each window, however often they are evaluated', async () => {
    await budget(10);
    await alerting.alert(organization);
    await spend('8');
    for (let time = 0; time < 3; time += 1) await alerting.notify();
    expect(thresholds()).toEqual([0.8]);

    await spend('2');
    for (let time = 0; time < 3; time += 1) await alerting.notify();
    expect(thresholds()).toEqual([0.8, 1]);
  });

  it('notify again in the next window', async () => {
    await budget(10, 'daily');
    await alerting.alert(organization);
    await spend('9');
    await alerting.notify();
    // As if all that was yesterday.
    await alerting.app.rows('DELETE FROM alert_deliveries WHERE organization_id = $1', [organization.organizationId]);
    await alerting.app.rows(
      "UPDATE alert_notifications SET window_start = window_start - interval '1 day' WHERE organization_id = $1",
      [organization.organizationId],
    );

    await alerting.notify();
    expect(thresholds()).toEqual([0.8, 0.8]);
  });

  it('notify the highest of several thresholds that are crossed at once, and never the lower ones', async () => {
    await budget(10);
    await alerting.alert(organization, { thresholds: [1, 0.5, 0.8] });
    await spend('9');
    await alerting.notify();
    await alerting.notify();
    expect(thresholds()).toEqual([0.8]);
    expect(await notifications()).toEqual([
      { threshold: 0.5, passed: true },
      { threshold: 0.8, passed: false },
    ]);

    await spend('1');
    await alerting.notify();
    expect(thresholds()).toEqual([0.8, 1]);
  });

  it('notify once when many replicas evaluate at the same time, and send it once', async () => {
    const replicas = [alerting.app, await alerting.replica(), await alerting.replica()];
    await budget(10);
    await alerting.alert(organization);
    const others = await Promise.all(
      Array.from({ length: 20 }, () => alerting.app.factory.key(organization, { limitUsd: 1 })),
    );
    for (const other of others) await spend('1', other);

    await Promise.all([...replicas, ...replicas].map((app) => alerting.notify(app)));
    for (let time = 0; time < 5; time += 1) await Promise.all(replicas.map((app) => alerting.send(app)));
    const sent = alerting.sent.map(({ data }) => data['scope']);
    expect(sent.filter((scope) => scope === 'workspace')).toHaveLength(1);
    expect(sent.filter((scope) => scope === 'key')).toHaveLength(20);
    expect(new Set(alerting.sent.map(({ id }) => id)).size).toBe(21);
  });

  it('notify of the limit of a key, of its present window', async () => {
    const limited = await alerting.app.factory.key(organization, { name: 'Nightly', limitUsd: 2, limitReset: 'daily' });
    await alerting.alert(organization, { key_hash: limited.hash });
    await spend('1.7', limited);
    await alerting.notify();
    expect(alerting.sent.map(({ data }) => data)).toMatchObject([
      { scope: 'key', key: { hash: limited.hash, name: 'Nightly' }, interval: 'daily', spent_usd: 1.7, share: 0.85 },
    ]);
  });

  it('notify of the budget of a guardrail, for each of its holders', async () => {
    const settings = { name: 'Careful', limit_usd: 1, reset_interval: 'monthly' as const };
    const { id } = await alerting.app.factory.guardrail(organization, settings);
    const [first, second] = [
      await alerting.app.factory.key(organization),
      await alerting.app.factory.key(organization),
    ];
    for (const one of [first, second]) await alerting.gateway.assign(organization, one, id);
    await alerting.alert(organization, { guardrail_id: id });
    await spend('0.9', first);
    await spend('0.1', second);
    await alerting.notify();
    expect(alerting.sent.map(({ data }) => data)).toMatchObject([
      { scope: 'guardrail', guardrail: { id, name: 'Careful' }, key: { hash: first.hash }, spent_usd: 0.9 },
    ]);

    const path = `/guardrails/${id}/assignments/members`;
    const json = { member_user_ids: [organization.userId] };
    await alerting.succeed(organization, 'POST', path, json);
    await alerting.notify();
    expect(alerting.sent.at(-1)!.data).toMatchObject({ member: { user_id: organization.userId }, spent_usd: 1 });
  });

  it('notify of the budget of a default guardrail, for each key of its workspace', async () => {
    const { body } = await alerting.app.api.get<{ data: { default_guardrail_id: string } }>('/workspaces/default', {
      key: organization.managementKey,
    });
    const id = body.data.default_guardrail_id;
    const json = { limit_usd: 1, reset_interval: 'weekly' };
    await alerting.succeed(organization, 'PATCH', `/guardrails/${id}`, json);
    await alerting.alert(organization, { guardrail_id: id });
    await spend('0.8');
    await alerting.notify();
    expect(alerting.sent.map(({ data }) => data)).toMatchObject([{ key: { hash: key.hash }, interval: 'weekly' }]);
  });

  it("notify of nothing that is out of scope, disabled, another organization's, or without a limit", async () => {
    await budget(10);
    const unlimited = await alerting.app.factory.key(organization);
    const other = await alerting.app.factory.workspace(organization);
    await alerting.alert(organization, { key_hash: unlimited.hash });
    await alerting.alert(organization, { workspace_id: other });
    await alerting.alert(organization, { enabled: false });
    await alerting.alert(await alerting.app.factory.organization());
    await spend('20', unlimited);
    await alerting.notify();
    expect(alerting.sent).toEqual([]);
  });

  it('take a changed limit and changed thresholds into account', async () => {
    await budget(100);
    const alert = await alerting.alert(organization, { thresholds: [0.9] });
    await spend('50');
    await alerting.notify();
    expect(alerting.sent).toEqual([]);

    const json = { thresholds: [0.5] };
    await alerting.app.api.patch(`/alerts/${alert.id}`, { key: organization.managementKey, json });
    await alerting.notify();
    expect(thresholds()).toEqual([0.5]);
    await budget(40);
    await alerting.notify();
    expect(thresholds()).toEqual([0.5]);
  });

  it('sign what a webhook with a secret is sent, as Standard Webhooks', async () => {
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    await budget(10);
    const destinationId = await alerting.webhook(organization, { signingSecret: secret });
    await alerting.alert(organization, { destination_id: destinationId });
    await spend('9');
    await alerting.notify();
    const [request] = alerting.receiver.received;
    const verified = new Webhook(secret).verify(
      JSON.stringify(request!.body),
      request!.headers as Record<string, string>,
    );
    expect(verified).toMatchObject({ type: 'alert.budget' });
  });

  it('are tried again with the same id until a webhook takes them, and given up after a day', async () => {
    await budget(10);
    await alerting.alert(organization);
    await spend('9');
    alerting.receiver.answerJson({ error: 'later' }, 503);
    await alerting.notify();
    await alerting.notify();
    expect(alerting.sent).toHaveLength(1);
    await alerting.skipWaiting();
    await alerting.send();
    expect(new Set(alerting.sent.map(({ id }) => id)).size).toBe(1);
    expect(alerting.sent).toHaveLength(2);

    alerting.receiver.answerJson({});
    await alerting.skipWaiting();
    await alerting.send();
    await alerting.skipWaiting();
    await alerting.send();
    expect(alerting.sent).toHaveLength(1);

    await spend('1');
    alerting.receiver.answerJson({}, 500);
    await alerting.notify();
    await alerting.app.rows("UPDATE alert_deliveries SET created_at = created_at - interval '24 hours'");
    await alerting.skipWaiting();
    await alerting.send();
    await alerting.skipWaiting();
    await alerting.send();
    expect(alerting.sent).toHaveLength(2);
    expect(await alerting.app.rows('SELECT state FROM alert_deliveries ORDER BY threshold')).toEqual([
      { state: 'sent' },
      { state: 'failed' },
    ]);
  });

  it('are sent by another process when the one that took them has died', async () => {
    await budget(10);
    await alerting.alert(organization);
    await spend('9');
    await alerting.notify();
    // As if it had died before it wrote down that it was sent.
    await alerting.app.rows("UPDATE alert_deliveries SET state = 'pending', next_at = now() + interval '3 minutes'");
    await alerting.send();
    expect(alerting.sent).toHaveLength(1);
    await alerting.skipWaiting();
    await alerting.send(await alerting.replica());
    expect(alerting.sent).toHaveLength(2);
    expect(alerting.sent[0]!.id).toBe(alerting.sent[1]!.id);
  });

  it('are not sent to a webhook that is disabled or deleted, and no log line has its address', async () => {
    await budget(10);
    const destinationId = await alerting.webhook(organization);
    await alerting.alert(organization, { destination_id: destinationId });
    await spend('9');
    const path = `/observability/destinations/${destinationId}`;
    await alerting.app.api.patch(path, { key: organization.managementKey, json: { enabled: false } });
    await alerting.notify();
    expect(alerting.sent).toEqual([]);
    await alerting.app.api.delete(path, { key: organization.managementKey });
    await alerting.skipWaiting();
    await alerting.send();
    expect(alerting.sent).toEqual([]);
    expect(alerting.app.logLines.filter((line) => line.includes('an alert was not sent'))).not.toEqual([]);
    expect(alerting.app.logLines.filter((line) => line.includes('/hook'))).toEqual([]);
  });
});
