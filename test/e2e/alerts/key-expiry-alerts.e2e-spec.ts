import { organizationPerTest } from '../../support/application/shared-organization.js';
import { sharedAlertingGateway } from './shared-alerting-gateway.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

describe('alerts on keys that expire', () => {
  const alerting = sharedAlertingGateway();
  const organization = organizationPerTest({
    get factory() {
      return alerting.app.factory;
    },
  });

  const expiring = (ms: number, fields: object = {}): ReturnType<typeof alerting.app.factory.key> =>
    alerting.app.factory.key(organization, { expiresAt: new Date(Date.now() + ms), ...fields });

  it('notify when a key is left as many days as they name, once each', async () => {
    const key = await expiring(6.5 * DAY_MS, { name: 'Nightly' });
    await expiring(8 * DAY_MS);
    const alert = await alerting.alert(organization, { kind: 'key_expiry' });
    expect(alert).toMatchObject({ thresholds: null, days_before: [7, 1] });
    await alerting.notify();
    await alerting.notify();
    expect(alerting.sent).toMatchObject([
      {
        type: 'alert.key_expiry',
        data: { key: { hash: key.hash, name: 'Nightly' }, workspace_id: null, days_before: 7, days_left: 6 },
      },
    ]);
  });

  it('notify the nearest of several days at once, and never the others', async () => {
    await expiring(12 * HOUR_MS);
    await alerting.alert(organization, { kind: 'key_expiry', days_before: [30, 7, 1] });
    await alerting.notify();
    await alerting.notify();
    expect(alerting.sent.map(({ data }) => data['days_before'])).toEqual([1]);
  });

  it('notify again when the expiry has changed', async () => {
    const key = await expiring(12 * HOUR_MS);
    await alerting.alert(organization, { kind: 'key_expiry' });
    await alerting.notify();
    await alerting.app.rows("UPDATE api_keys SET expires_at = expires_at + interval '1 hour' WHERE id = $1", [key.id]);
    await alerting.notify();
    expect(alerting.sent).toHaveLength(2);
  });

  it('leave out keys that have expired, are disabled, are out of scope or of another organization', async () => {
    const workspaceId = await alerting.app.factory.workspace(organization);
    await expiring(-HOUR_MS);
    const disabled = await expiring(HOUR_MS);
    await alerting.app.rows('UPDATE api_keys SET disabled = true WHERE id = $1', [disabled.id]);
    const scoped = await expiring(HOUR_MS, { workspaceId });
    const ofDefault = await expiring(HOUR_MS);
    await alerting.alert(organization, { kind: 'key_expiry', workspace_id: workspaceId });
    await alerting.alert(organization, { kind: 'key_expiry', workspace_id: organization.workspaceId });
    await alerting.alert(organization, { kind: 'key_expiry', key_hash: scoped.hash });
    await alerting.alert(await alerting.app.factory.organization(), { kind: 'key_expiry' });
    await alerting.notify();
    const hashes = alerting.sent.map(({ data }) => (data['key'] as { hash: string }).hash);
    expect(hashes.sort()).toEqual([scoped.hash, scoped.hash, ofDefault.hash].sort());
  });
});
