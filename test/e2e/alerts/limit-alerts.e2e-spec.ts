import { AlertEvaluationService } from '../../../src/modules/alerts/evaluation/alert-evaluation.service.js';
import { combinationOf } from '../../../src/modules/limits/combination.js';
import { windowStartOf } from '../../../src/modules/limits/limit-windows.js';
import { keyPerTest, organizationPerTest } from '../../support/application/shared-organization.js';
import { newLimit, newLimitException } from '../../support/resources/limits.js';
import { until } from '../../support/time/until.js';
import { sharedAlertingGateway } from './shared-alerting-gateway.js';

/** How many combinations of one limit an evaluation notifies of at most. */
const MOST = 1_000;

describe('alerts on limits by condition and group', () => {
  const alerting = sharedAlertingGateway();
  const organization = organizationPerTest(alerting);
  const key = keyPerTest(alerting, organization);

  const limit = (fields: object = {}): Promise<string> =>
    newLimit(alerting.app, organization, { amount: 5, ...fields });

  const alert = (fields: object = {}): Promise<{ id: string }> =>
    alerting.alert(organization, { name: 'Limits', kind: 'limit', ...fields });

  /** Uses some requests of an end user. */
  const use = async (user: string, times = 1): Promise<void> => {
    for (let time = 0; time < times; time += 1) await alerting.gateway.ask(key, { user });
  };

  /** @returns the statuses of some requests of an end user */
  const statusesOf = async (user: string, times = 1): Promise<number[]> => {
    const statuses: number[] = [];
    for (let time = 0; time < times; time += 1) statuses.push((await alerting.gateway.ask(key, { user })).status);
    return statuses;
  };

  const change = (id: string, json: object): Promise<void> =>
    alerting.succeed(organization, 'PATCH', `/limits/${id}`, json);

  /** The values of the counters that are noted to have refused. */
  const refusing = async (): Promise<object[]> => {
    const rows = await alerting.app.rows<{ values: object }>(
      'SELECT "values" FROM limit_counters WHERE organization_id = $1 AND refused_at IS NOT NULL',
      [organization.organizationId],
    );
    return rows.map(({ values }) => values);
  };

  /** What was notified: the user, the threshold, and whether the limit refuses. */
  const notified = (): unknown[][] =>
    alerting.sent.map(({ data }) => [(data['values'] as { user?: string }).user, data['threshold'], data['refusing']]);

  /** Counters of users in the present day: a user of each number, who has used as much. */
  const countUsers = (limitId: string, used: readonly number[]): Promise<unknown> =>
    alerting.app.rows(
      `INSERT INTO limit_counters (organization_id, limit_id, combination, window_start, "values", key_id, amount, byok_amount, reserved,
         reserved_with_byok, last_used_at)
       SELECT $1, $2, one.combination, $3, jsonb_build_object('user', one.combination), $4, one.used, 0, 0, 0, now()
       FROM unnest($5::text[], $6::numeric[]) AS one (combination, used)`,
      [
        organization.organizationId,
        limitId,
        windowStartOf('daily', new Date()),
        key.id,
        used.map((_, number) => `user-${number}`),
        used,
      ],
    );

  it('notify a webhook of a share that the limit names, of that combination, once', async () => {
    const id = await limit();
    const made = await alert();
    await use('ada', 3);
    await alerting.notify();
    expect(alerting.sent).toEqual([]);

    await use('ada');
    await use('grace');
    for (let time = 0; time < 3; time += 1) await alerting.notify();
    expect(alerting.sent).toEqual([
      {
        type: 'alert.limit',
        id: expect.stringMatching(/^[0-9a-f-]{36}$/) as unknown,
        occurred_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) as unknown,
        alert: { id: made.id, name: 'Limits', kind: 'limit' },
        data: {
          limit: { id, name: 'Agents' },
          values: { user: 'ada' },
          measure: 'requests',
          window: 'daily',
          window_start: expect.stringMatching(/T00:00:00\.000Z$/) as unknown,
          amount: 5,
          used: 4,
          share: 0.8,
          threshold: 0.8,
          refusing: false,
        },
      },
    ]);
    await use('ada');
    for (let time = 0; time < 3; time += 1) await alerting.notify();
    expect(notified()).toEqual([
      ['ada', 0.8, false],
      ['ada', 1, true],
    ]);
  });

  it('notify the highest of several shares at once, and none of the lower ones after it', async () => {
    const id = await limit({ alert_at: [1, 0.2, 0.6] });
    await alert();
    await use('ada', 4);
    await alerting.notify();
    await change(id, { amount: 10 });
    await use('ada', 3);
    await alerting.notify();
    expect(notified()).toEqual([['ada', 0.6, false]]);
  });

  it('compare with a raised or lowered amount, and with that of an exception', async () => {
    const id = await limit({ amount: 100 });
    await newLimitException(alerting.app, organization, id, { values: { user: 'ada' }, amount: 2 });
    await newLimitException(alerting.app, organization, id, { values: { user: 'grace' }, amount: 50 });
    await alert();
    for (const user of ['ada', 'grace', 'edith']) await use(user, 2);
    await alerting.notify();
    expect(alerting.sent.map(({ data }) => data)).toMatchObject([{ values: { user: 'ada' }, amount: 2, share: 1 }]);

    await change(id, { amount: 2 });
    await alerting.notify();
    expect(notified()).toEqual([
      ['ada', 1, true],
      ['edith', 1, true],
    ]);
    await change(id, { amount: 1000 });
    await alerting.notify();
    expect(alerting.sent).toHaveLength(2);
  });

  it('notify of shares of limits that observe, which refuse nothing (200)', async () => {
    await limit({ enforcement: 'observe', amount: 1 });
    await alert();
    expect(await statusesOf('ada', 3)).toEqual([200, 200, 200]);
    await alerting.notify();
    expect(alerting.sent.map(({ data }) => data)).toMatchObject([{ share: 3, threshold: 1, refusing: false }]);
    expect(await refusing()).toEqual([]);
  });

  describe('on a limit that refuses requests (429)', () => {
    it('notify that once, also where no share is met or named, and not for others', async () => {
      await limit({ measure: 'tokens', amount: 200, alert_at: [] });
      await alert();
      await use('grace');
      await use('ada');
      // May use more tokens than are left, of which a few are used.
      expect((await alerting.gateway.ask(key, { user: 'ada', max_tokens: 500 })).status).toBe(429);
      await until(async () => (await refusing()).length === 1);
      for (let time = 0; time < 3; time += 1) await alerting.notify();
      expect(notified()).toEqual([['ada', 1, true]]);
      expect(alerting.sent[0]!.data['share']).toBeLessThan(0.8);
    });

    it('notify it of requests at the same time, once a day', async () => {
      const id = await limit({ measure: 'concurrent', amount: 1, window: undefined, group_by: ['user'] });
      await alert();
      await use('ada');
      await alerting.app.rows('UPDATE limit_counters SET refused_at = now() WHERE limit_id = $1', [id]);
      for (let time = 0; time < 2; time += 1) await alerting.notify();
      const data = { measure: 'concurrent', window: null, window_start: null, share: null, refusing: true };
      expect(alerting.sent.map((sent) => sent.data)).toMatchObject([{ ...data, threshold: 1 }]);

      await alerting.app.rows("UPDATE limit_counters SET refused_at = now() - interval '1 day' WHERE limit_id = $1", [
        id,
      ]);
      await alert();
      await alerting.notify();
      expect(alerting.sent).toHaveLength(1);
    });

    it('say so in mails', async () => {
      await limit({ amount: 1 });
      await alerting.mailedAlert(organization, 'ops@example.com', { kind: 'limit' });
      expect(await statusesOf('ada', 2)).toEqual([200, 429]);
      await alerting.notify();
      expect(alerting.mail.received.map(({ text }) => text).join('')).toContain(
        '100 % of the limit "Agents" of 1 requests (daily) for user ada is used, and it refuses requests',
      );
    });

    it('write nothing down where no alert is about limits', async () => {
      await limit({ amount: 1 });
      await alerting.alert(organization);
      await alert({ enabled: false });
      expect(await statusesOf('ada', 2)).toEqual([200, 429]);
      await limit({ amount: 1, group_by: ['session'] });
      await alert();
      const session = (): Promise<{ status: number }> => alerting.gateway.ask(key, { session_id: 'build' });
      expect([(await session()).status, (await session()).status]).toEqual([200, 429]);
      await until(async () => (await refusing()).length > 0);
      expect(await refusing()).toEqual([{ session: 'build' }]);
    });
  });

  it('notify no shares of limits of nothing, nor of requests at the same time', async () => {
    await limit({ measure: 'concurrent', amount: 1, window: undefined });
    const id = await limit();
    await alert();
    await use('ada');
    await change(id, { amount: 0 });
    await alerting.notify();
    expect(alerting.sent).toEqual([]);
  });

  it('notify again in the next window, and forget what was notified when the counter is gone', async () => {
    const id = await limit();
    await alert();
    await use('ada', 4);
    await alerting.notify();
    // As if all that was yesterday.
    await alerting.app.rows('DELETE FROM alert_deliveries WHERE organization_id = $1', [organization.organizationId]);
    await alerting.app.rows(
      `UPDATE alert_notifications SET window_start = window_start - interval '1 day', created_at = created_at - interval '3 days'
        WHERE organization_id = $1`,
      [organization.organizationId],
    );
    await alerting.app.rows('UPDATE limit_counters SET refused_at = NULL WHERE limit_id = $1', [id]);
    await alerting.notify();
    expect(notified()).toEqual([
      ['ada', 0.8, false],
      ['ada', 0.8, false],
    ]);
    const subjects = (): Promise<{ subject: string }[]> =>
      alerting.app.rows('SELECT subject FROM alert_notifications WHERE organization_id = $1', [
        organization.organizationId,
      ]);
    const subject = `limit/${id}/${combinationOf(['user'], { user: 'ada' })}`;
    expect(await subjects()).toEqual([{ subject }]);

    await alerting.app.rows("UPDATE alert_notifications SET created_at = created_at - interval '3 days'");
    await alerting.notify();
    expect(await subjects()).toEqual([{ subject }]);
    await alerting.app.rows('DELETE FROM limit_counters WHERE limit_id = $1', [id]);
    await alerting.notify();
    expect(await subjects()).toEqual([]);
  });

  it('notify of a window that has just ended', async () => {
    const id = await limit({ window: 'minute' });
    await alert();
    await countUsers(id, [5, 5, 5]);
    const starts = [0, 1, 5].map((minutes) => windowStartOf('minute', new Date(Date.now() - minutes * 60_000)));
    for (const [number, start] of starts.entries())
      await alerting.app.rows('UPDATE limit_counters SET window_start = $2 WHERE combination = $1', [
        `user-${number}`,
        start,
      ]);
    await alerting.notify();
    expect(
      notified()
        .map(([user]) => user)
        .sort(),
    ).toEqual(['user-0', 'user-1']);
  });

  it('notify of a bounded number of combinations of one limit at once, those first that have used most', async () => {
    const id = await limit({ amount: 1_000_000 });
    const other = await limit({ amount: 10 });
    // An address that has not confirmed: nothing is sent.
    await alert({ destination_id: null, emails: ['nobody@example.com'] });
    await countUsers(
      id,
      Array.from({ length: MOST + 200 }, (_, number) => 900_000 + number),
    );
    await countUsers(other, [9]);
    const evaluate = (): Promise<void> => alerting.app.application.get(AlertEvaluationService).evaluate();
    const written = (limitId: string): Promise<{ count: number; least: number }[]> =>
      alerting.app.rows(
        `SELECT count(*)::int AS count, min((data->>'used')::int) AS least FROM alert_notifications
          WHERE organization_id = $1 AND subject LIKE 'limit/' || $2 || '/%'`,
        [organization.organizationId, limitId],
      );
    await evaluate();
    expect(await written(id)).toEqual([{ count: MOST, least: 900_200 }]);
    expect(await written(other)).toEqual([{ count: 1, least: 9 }]);
    await evaluate();
    expect(await written(id)).toEqual([{ count: MOST + 200, least: 900_000 }]);
  });

  it("notify of nothing that is out of scope, disabled, or another organization's", async () => {
    const [named, other] = [await limit({ name: 'Named' }), await limit({ name: 'Other' })];
    const ofWorkspace = await limit({ name: 'Of a workspace', workspace_id: organization.workspaceId });
    const elsewhere = await alerting.app.factory.workspace(organization);
    await alert({ workspace_id: elsewhere });
    await alert({ enabled: false });
    await alerting.alert(organization);
    await alerting.alert(await alerting.app.factory.organization(), { kind: 'limit' });
    await use('ada', 4);
    await alerting.notify();
    expect(alerting.sent).toEqual([]);

    const names = (): unknown[] => alerting.sent.map(({ data }) => (data['limit'] as { name: string }).name).sort();
    await alert({ limit_id: named });
    await alerting.notify();
    expect(names()).toEqual(['Named']);
    await alert({ workspace_id: organization.workspaceId });
    await alerting.notify();
    expect(names()).toEqual(['Named', 'Of a workspace']);
    await alerting.app.api.delete(`/limits/${named}`, { key: organization.managementKey });
    expect(
      await alerting.app.rows('SELECT 1 FROM alerts WHERE limit_id = ANY ($1)', [[named, other, ofWorkspace]]),
    ).toEqual([]);
  });
});
