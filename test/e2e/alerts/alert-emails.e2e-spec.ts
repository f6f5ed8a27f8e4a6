import type { Alert } from '../../../src/modules/alerts/dto/alert.dto.js';
import { organizationPerTest } from '../../support/application/shared-organization.js';
import { storedText } from '../../support/database/stored-text.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { sharedAlertingGateway } from './shared-alerting-gateway.js';

const ADDRESS = 'ops@example.com';

const DAY_MS = 24 * 3_600_000;

describe('alerts by e-mail', () => {
  const alerting = sharedAlertingGateway();
  const organization = organizationPerTest({
    get factory() {
      return alerting.app.factory;
    },
  });

  /** A key about whose expiry there is something to notify. */
  const expiringKey = async (): Promise<void> => {
    await alerting.app.factory.key(organization, { name: 'Nightly', expiresAt: new Date(Date.now() + DAY_MS / 2) });
  };

  const alert = (fields: object = {}): Promise<Alert> =>
    alerting.alert(organization, { kind: 'key_expiry', destination_id: null, emails: [ADDRESS], ...fields });

  const recipientsOf = async ({ id }: Alert): Promise<Alert['recipients']> => {
    const { body } = await alerting.app.api.get<{ data: Alert }>(`/alerts/${id}`, { key: organization.managementKey });
    return body.data.recipients;
  };

  it('send an address a link, answers 200 to anyone who opens it, and notify it from then on', async () => {
    const made = await alert({ emails: ['Ops@Example.com', 'ops@example.com'] });
    expect(made.recipients).toEqual([{ email: ADDRESS, confirmed_at: null }]);
    await alerting.send();
    const [mail, ...others] = alerting.mail.received;
    expect(others).toEqual([]);
    expect(mail).toMatchObject({
      from: 'alerts@example.com',
      to: [ADDRESS],
      headers: { from: 'Gatehouse <alerts@example.com>', to: ADDRESS, 'auto-submitted': 'auto-generated' },
    });

    const answer = await alerting.open(alerting.linkTo(ADDRESS));
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(answer.text).toContain('Address confirmed');
    expect(await recipientsOf(made)).toEqual([{ email: ADDRESS, confirmed_at: expect.any(String) as unknown }]);

    await expiringKey();
    await alerting.notify();
    await alerting.notify();
    expect(alerting.mail.received).toHaveLength(2);
    const notified = alerting.mail.received[1]!;
    expect(notified.headers['subject']).toMatch(/^\[Budgets\] The key Nightly expires on /);
    expect(notified.text).toContain('key name: Nightly');
    expect(notified.text).toContain(made.id);
  });

  it('send an address that has not confirmed nothing of what the alert is called, and its name afterwards', async () => {
    const name = 'URGENT: verify your account at https://evil.example/login';
    await alert({ name });
    await alerting.send();
    const [asking] = alerting.mail.to(ADDRESS);
    for (const text of [...Object.values(asking!.headers), asking!.text]) {
      expect(text).not.toMatch(/urgent|verify your account|evil\.example/i);
    }
    expect(asking!.text).toContain('wants to send alerts to this address');

    await alerting.open(alerting.linkTo(ADDRESS));
    await expiringKey();
    await alerting.notify();
    const [, notified] = alerting.mail.to(ADDRESS);
    expect(notified!.text).toContain(`Alert: ${name} (alert.key_expiry,`);
  });

  it('notify no address that has not confirmed, even if it was to be notified before it was replaced', async () => {
    await alert({ emails: [ADDRESS, 'other@example.com'] });
    await alerting.send();
    await alerting.open(alerting.linkTo('other@example.com'));
    await expiringKey();
    await alerting.notify();
    expect(alerting.mail.to(ADDRESS).map(({ headers }) => headers['subject'])).toEqual([
      expect.stringContaining('Confirm that you want alerts of'),
    ]);
    expect(alerting.mail.to('other@example.com')).toHaveLength(2);
  });

  it('send nothing that waits to an address that was removed', async () => {
    const made = await alerting.mailedAlert(organization, ADDRESS, { kind: 'key_expiry' });
    await expiringKey();
    alerting.mail.refusal = { code: 451, text: 'later' };
    await alerting.notify();
    const json = { emails: ['other@example.com'] };
    await alerting.app.api.patch(`/alerts/${made.id}`, { key: organization.managementKey, json });
    alerting.mail.refusal = undefined;
    await alerting.skipWaiting();
    await alerting.send();
    expect(alerting.mail.to(ADDRESS)).toEqual([]);
    expect(alerting.mail.to('other@example.com')).toHaveLength(1);
  });

  it('answers 400 to a link that was used, has expired, was replaced, or is none', async () => {
    await alert();
    await alerting.send();
    const used = alerting.linkTo(ADDRESS);
    expect((await alerting.open(used, 'HEAD')).status).toBe(400);
    expect((await alerting.open(used)).status).toBe(200);
    const replayed = await alerting.open(used);
    expect(replayed.status).toBe(400);
    expect(replayed.text).toContain('Link not valid');

    await alert({ emails: ['late@example.com'] });
    await alerting.send();
    const expired = alerting.linkTo('late@example.com');
    await alerting.app.rows("UPDATE alert_recipients SET token_expires_at = now() - interval '1 s'");
    expect((await alerting.open(expired)).status).toBe(400);

    const listed = await alert({ emails: ['twice@example.com'] });
    await alerting.send();
    const replaced = alerting.linkTo('twice@example.com');
    await alerting.app.rows('UPDATE alert_recipients SET token_expires_at = now() WHERE alert_id = $1', [listed.id]);
    const json = { emails: ['twice@example.com'] };
    const path = `/alerts/${listed.id}`;
    expect((await alerting.app.api.patch(path, { key: organization.managementKey, json })).status).toBe(200);
    await alerting.send();
    const replacing = alerting.mail.to('twice@example.com').at(-1)!;
    expect(replacing.text).not.toContain(replaced);
    expect((await alerting.open(replaced)).status).toBe(400);
    expect(await recipientsOf(listed)).toEqual([{ email: 'twice@example.com', confirmed_at: null }]);

    const base = used.slice(0, used.indexOf('?'));
    const [organizationId, secret] = used.slice(used.indexOf('=') + 1).split('.');
    for (const query of [
      '',
      '?token=',
      '?token=x',
      `?token=${organizationId}.`,
      `?token=${secret}`,
      `?token=org_other.${secret}`,
      `?token=%00%ff${'x'.repeat(5_000)}`,
      `?token[]=1&token=2`,
    ]) {
      expect((await alerting.open(`${base}${query}`)).status).toBe(400);
    }
  });

  it('answers 200 to a change that lists an address whose link has expired, and send it a new one', async () => {
    const made = await alert();
    await alerting.send();
    const path = `/alerts/${made.id}`;
    const json = { emails: [ADDRESS] };
    const key = organization.managementKey;
    expect((await alerting.app.api.patch(path, { key, json })).status).toBe(200);
    await alerting.send();
    expect(alerting.mail.received).toHaveLength(1);

    await alerting.app.rows("UPDATE alert_recipients SET token_expires_at = now() - interval '1 s'");
    expect((await alerting.app.api.patch(path, { key, json })).status).toBe(200);
    await alerting.send();
    expect(alerting.mail.received).toHaveLength(2);
    expect((await alerting.open(alerting.linkTo(ADDRESS))).status).toBe(200);
  });

  it('answers 429 when an address or the organization was sent too many links, and send no more', async () => {
    const key = organization.managementKey;
    const create = async (emails: string[]): Promise<number> => {
      const json = { name: 'Flood', kind: 'budget', emails };
      const answer = await alerting.app.api.post<{ data: Alert }>('/alerts', { key, json });
      if (answer.status === 201) await alerting.app.api.delete(`/alerts/${answer.body.data.id}`, { key });
      return answer.status;
    };
    const statuses = await Promise.all(Array.from({ length: 8 }, () => create([ADDRESS])));
    expect(statuses.sort()).toEqual([201, 201, 201, 201, 201, 429, 429, 429]);
    for (let batch = 0; batch < 9; batch += 1) {
      expect(await create(Array.from({ length: 10 }, (_, n) => `a${batch}-${n}@example.com`))).toBe(201);
    }
    expect(await create(Array.from({ length: 6 }, (_, n) => `last-${n}@example.com`))).toBe(429);
    const refused = await alerting.app.api.post('/alerts', {
      key,
      json: { name: 'Flood', kind: 'budget', emails: [ADDRESS] },
    });
    expectRefusal(refused, { status: 429, reason: 'too_many_confirmation_mails', userId: organization.userId });

    await alerting.app.rows("UPDATE alert_confirmation_mails SET requested_at = requested_at - interval '25 hours'");
    expect(await create([ADDRESS])).toBe(201);
  });

  it('answers 400 for addresses that could be more than an address', async () => {
    const wrong = [
      'ops',
      'ops@example',
      'ops@example.com\r\nBcc: x@example.com',
      'ops@example.com,x@example.com',
      'Ops <ops@example.com>',
      '"o ps"@example.com',
      'öps@example.com',
      'ops@exämple.com',
      'ops@example.com\u0000',
      ' ops@example.com',
      `${'x'.repeat(65)}@example.com`,
    ];
    const answer = await alerting.app.api.post('/alerts', {
      key: organization.managementKey,
      json: { name: 'Wrong', kind: 'budget', emails: wrong.slice(0, 10) },
    });
    expect(answer.status).toBe(400);
    for (const email of wrong) {
      const json = { name: 'Wrong', kind: 'budget', emails: [email] };
      const { status } = await alerting.app.api.post('/alerts', { key: organization.managementKey, json });
      expect([email, status]).toEqual([email, 400]);
    }
  });

  it('have names of any Unicode in subject and text, and no line of a name as a header', async () => {
    const name = 'Ünï\r\nBcc: evil@example.com\u2028‮ 予算 🚨';
    await alerting.mailedAlert(organization, ADDRESS, { kind: 'key_expiry', name });
    await alerting.app.factory.key(organization, {
      name: 'a\r\n\r\nX-Injected: 1',
      expiresAt: new Date(Date.now() + DAY_MS / 2),
    });
    await alerting.notify();
    const [mail, ...others] = alerting.mail.received;
    expect(others).toEqual([]);
    expect(mail!.to).toEqual([ADDRESS]);
    expect(Object.keys(mail!.headers)).not.toContain('bcc');
    expect(Object.keys(mail!.headers)).not.toContain('x-injected');
    expect(mail!.text).toContain('予算 🚨');
    expect(mail!.headers['subject']).toMatch(/^=\?UTF-8\?/);
  });

  it('are tried again while the mail server refuses them, with the same id, and log nothing of its answer', async () => {
    await alerting.mailedAlert(organization, ADDRESS, { kind: 'key_expiry' });
    await expiringKey();
    alerting.mail.refusal = { code: 452, text: `quota of canary-4711 is used up` };
    await alerting.notify();
    alerting.mail.refusal = undefined;
    await alerting.skipWaiting();
    await alerting.send();
    await alerting.skipWaiting();
    await alerting.send();
    expect(alerting.mail.received).toHaveLength(1);
    const ids = [...alerting.mail.refused, ...alerting.mail.received].map(({ headers }) => headers['message-id']);
    expect(ids).toEqual([expect.stringMatching(/^<[\w-]+@gatehouse>$/), ids[0]]);
    expect(alerting.app.logLines.join('')).toContain('the mail server did not take it (EMESSAGE 452)');
    expect(alerting.app.logLines.join('')).not.toContain('canary-4711');
  });

  it('leave no token in the database, nor in the log', async () => {
    await alert();
    await alerting.send();
    const link = alerting.linkTo(ADDRESS);
    await alerting.open(link.slice(0, -1));
    await alerting.open(link);
    const secret = link.slice(link.lastIndexOf('.') + 1);
    for (const text of [...(await storedText(alerting.app)).values(), alerting.app.logLines.join('')]) {
      expect(text).not.toContain(secret);
    }
  });

  it('answers 200 once when a link is opened many times at once', async () => {
    await alert();
    await alerting.send();
    const link = alerting.linkTo(ADDRESS);
    const answers = await Promise.all(Array.from({ length: 10 }, () => alerting.open(link)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });
});
