import { windowEndOf, windowStartOf } from '../../../src/modules/limits/limit-windows.js';
import { keyPerTest, organizationPerTest } from '../../support/application/shared-organization.js';
import { newLimit, newLimitException } from '../../support/resources/limits.js';
import { combinationOf } from '../../../src/modules/limits/combination.js';
import { recordUsed } from '../usage/used-generations.js';
import { sharedAlertingGateway } from './shared-alerting-gateway.js';

const INTERVALS = ['daily', 'weekly', 'monthly'] as const;

interface OpenWindow {
  readonly interval: (typeof INTERVALS)[number];
  readonly start: number;
  readonly end: number;
  /** How much of it is over: 1 is all of it. */
  readonly passed: number;
}

/** The window of which it is best known how it goes on: the one that is nearest to its half. */
function openWindow(): OpenWindow {
  const now = new Date();
  const windows = INTERVALS.map((interval) => {
    const first = windowStartOf(interval, now);
    const [start, end] = [first.getTime(), windowEndOf(interval, first)!.getTime()];
    return { interval, start, end, passed: (now.getTime() - start) / (end - start) };
  });
  return windows.reduce((best, one) => (Math.abs(one.passed - 0.5) < Math.abs(best.passed - 0.5) ? one : best));
}

describe('alerts on limits that will be met', () => {
  const alerting = sharedAlertingGateway();
  const organization = organizationPerTest(alerting);
  const key = keyPerTest(alerting, organization);

  /** What is sent where a tenth of the window is over: hours after the beginning of a week that is a month's too, nothing is. */
  const whereTenthIsOver = <Sent>({ passed }: OpenWindow, sent: readonly Sent[]): readonly Sent[] =>
    passed >= 0.1 ? sent : [];

  /** So much of 100 that it will be met, or will not be. */
  const tooMuch = ({ passed }: OpenWindow): number => 100 * (passed + (1 - passed) / 2);
  const notTooMuch = ({ passed }: OpenWindow): number => 50 * passed;

  const alert = (fields: object = {}): Promise<{ id: string }> =>
    alerting.alert(organization, { name: 'Forecasts', kind: 'budget_forecast', ...fields });

  const spend = (usd: number): Promise<void> =>
    recordUsed(alerting.app, organization, key, [{ costUsd: usd.toFixed(9) }]);

  const budget = (interval: 'lifetime' | OpenWindow['interval'], limitUsd = 100): Promise<void> =>
    alerting.app.factory.budget(organization.organizationId, organization.workspaceId, interval, limitUsd);

  /** Expects a time that the line through the beginning of a window and what is used now meets. */
  const expectMetAt = (metAt: unknown, { start, end }: OpenWindow, used: number, amount = 100): void => {
    const time = Date.parse(metAt as string);
    const earliest = start + ((Date.now() - 60_000 - start) * amount) / used;
    expect(time).toBeGreaterThan(earliest);
    expect(time).toBeLessThan(end);
  };

  it('notify once of the budget of a workspace, and tell when it will be met', async () => {
    const window = openWindow();
    const made = await alert();
    await budget(window.interval);
    await spend(tooMuch(window));
    for (let time = 0; time < 3; time += 1) await alerting.notify();
    await spend((100 - tooMuch(window)) / 2);
    await alerting.notify();
    expect(alerting.sent).toEqual(
      whereTenthIsOver(window, [
        {
          type: 'alert.budget_forecast',
          id: expect.stringMatching(/^[0-9a-f-]{36}$/) as unknown,
          occurred_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) as unknown,
          alert: { id: made.id, name: 'Forecasts', kind: 'budget_forecast' },
          data: {
            scope: 'workspace',
            workspace: { id: organization.workspaceId, name: 'Default' },
            interval: window.interval,
            window_start: new Date(window.start).toISOString(),
            limit_usd: 100,
            spent_usd: expect.closeTo(tooMuch(window), 3) as number,
            share: expect.closeTo(tooMuch(window) / 100, 2) as number,
            threshold: 1,
            refusing: false,
            met_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) as unknown,
          },
        },
      ]),
    );
    for (const { data } of alerting.sent) expectMetAt(data['met_at'], window, tooMuch(window));
  });

  it('notify of limits of keys and of guardrails, as they are narrowed to', async () => {
    const window = openWindow();
    const reset = { limitUsd: 100, limitReset: window.interval };
    const limited = await alerting.app.factory.key(organization, { name: 'Nightly', ...reset });
    await alerting.app.factory.key(organization, { name: 'Unused', ...reset });
    const settings = { name: 'Careful', limit_usd: 100, reset_interval: window.interval };
    const { id } = await alerting.app.factory.guardrail(organization, settings);
    await alerting.gateway.assign(organization, limited, id);
    await alert({ guardrail_id: id });
    await recordUsed(alerting.app, organization, limited, [{ costUsd: tooMuch(window).toFixed(9) }]);
    await alerting.notify();
    await alert({ key_hash: limited.hash });
    await alerting.notify();
    expect(alerting.sent.map(({ data }) => data)).toMatchObject(
      whereTenthIsOver(window, [
        { scope: 'guardrail', guardrail: { name: 'Careful' }, key: { hash: limited.hash } },
        { scope: 'key', key: { name: 'Nightly' } },
      ]),
    );
  });

  it('notify of nothing that is slow enough, met, without an end, or out of scope', async () => {
    const window = openWindow();
    await alert();
    await budget(window.interval);
    await spend(notTooMuch(window));
    await alerting.notify();
    await spend(100);
    await alerting.notify();
    expect(alerting.sent).toEqual([]);

    await budget('lifetime', 10_000);
    await alerting.app.factory.key(organization, { limitUsd: 0, limitReset: window.interval });
    await alert({ workspace_id: await alerting.app.factory.workspace(organization) });
    await alert({ enabled: false });
    await budget(window.interval, 101 + notTooMuch(window));
    await alerting.app.rows('DELETE FROM alerts WHERE enabled AND workspace_id IS NULL');
    await alerting.alert(await alerting.app.factory.organization(), { kind: 'budget_forecast' });
    await alerting.notify();
    expect(alerting.sent).toEqual([]);
  });

  it('say in mails when it will be', async () => {
    const window = openWindow();
    await budget(window.interval);
    await newLimit(alerting.app, organization, { measure: 'usd', amount: 100, window: window.interval });
    await alerting.mailedAlert(organization, 'ops@example.com', { kind: 'budget_forecast' });
    await spend(tooMuch(window));
    await alerting.notify();
    const texts = alerting.mail.received.map(({ text }) => text).join('');
    const sentence =
      /The (\w+) limit of \$100\.00 of workspace Default will be met on \d{4}-\d\d-\d\d at \d\d:\d\d UTC/;
    expect(whereTenthIsOver(window, [sentence.exec(texts)?.[1]])).toEqual(whereTenthIsOver(window, [window.interval]));
  });

  describe('by condition and group', () => {
    /** What a user has used of a limit in the present window. */
    const use = async (limitId: string, { start }: { readonly start: number }, used: number): Promise<void> => {
      await alerting.app.rows(
        `INSERT INTO limit_counters (organization_id, limit_id, combination, window_start, "values", key_id, amount, byok_amount, reserved,
           reserved_with_byok, last_used_at) VALUES ($1, $2, $3, $4, '{"user": "ada"}', $5, $6, 0, 0, 0, now())`,
        [
          organization.organizationId,
          limitId,
          combinationOf(['user'], { user: 'ada' }),
          new Date(start),
          key.id,
          used.toFixed(9),
        ],
      );
    };

    const limit = (fields: object): Promise<string> =>
      newLimit(alerting.app, organization, { measure: 'tokens', amount: 100, ...fields });

    it('notify of combinations once, with the exception in force, also where the limit observes', async () => {
      const window = openWindow();
      const by = { window: window.interval };
      const named = await limit({ ...by, name: 'Named' });
      const observing = await limit({ ...by, name: 'Observing', enforcement: 'observe' });
      const raised = await limit({ ...by, name: 'Raised' });
      const slow = await limit({ ...by, name: 'Slow' });
      const met = await limit({ ...by, name: 'Met' });
      await newLimitException(alerting.app, organization, raised, { values: { user: 'ada' }, amount: 10_000 });
      for (const id of [named, observing, raised]) await use(id, window, tooMuch(window));
      await use(slow, window, notTooMuch(window));
      await use(met, window, 100);
      await alert({ limit_id: named });
      for (let time = 0; time < 2; time += 1) await alerting.notify();
      const data = {
        values: { user: 'ada' },
        measure: 'tokens',
        window: window.interval,
        window_start: new Date(window.start).toISOString(),
        amount: 100,
        threshold: 1,
        refusing: false,
      };
      const ofNamed = { ...data, limit: { id: named, name: 'Named' } };
      expect(alerting.sent.map((sent) => sent.data)).toMatchObject(whereTenthIsOver(window, [ofNamed]));
      for (const sent of alerting.sent) expectMetAt(sent.data['met_at'], window, tooMuch(window));

      await alert();
      for (let time = 0; time < 2; time += 1) await alerting.notify();
      const names = alerting.sent.map((sent) => (sent.data['limit'] as { name: string }).name).sort();
      expect(names).toEqual(whereTenthIsOver(window, ['Named', 'Named', 'Observing']));
    });

    it('notify of no requests, nor of windows of an hour and without an end', async () => {
      const window = openWindow();
      await use(await limit({ measure: 'requests', window: window.interval }), window, tooMuch(window));
      const hour = windowStartOf('hour', new Date()).getTime();
      await use(await limit({ window: 'hour' }), { start: hour }, 99);
      await use(await limit({ window: 'session', group_by: ['session'] }), { start: 0 }, 99);
      await alert();
      await alerting.notify();
      expect(alerting.sent).toEqual([]);
    });
  });
});
