import type { ExchangeAuthCodeResponse } from '../../../src/modules/oauth/codes/authorization-code.dto.js';
import { organizationPerTest } from '../../support/application/shared-organization.js';
import { sharedApplication } from '../../support/application/shared-application.js';
import type { Answer } from '../../support/network/api-client.js';
import { Browser } from '../sign-in/browser.js';
import { ConsentingPerson, formIn, nextOf, type PageForm } from './consenting-person.js';

/** RFC 7636, appendix B. */
const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const S256 = { code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', code_challenge_method: 'S256' };

const CALLBACK = 'https://app.example.com/callback?theirs=1';

describe('the consent page', () => {
  const app = sharedApplication({ variables: { ANONYMOUS_OPERATIONS: 'exchangeAuthCodeForAPIKey' } });
  const organization = organizationPerTest(app);

  const signIn = (userId?: string): Promise<ConsentingPerson> => ConsentingPerson.signIn(app, organization, userId);

  const exchange = (code: string): Promise<Answer<ExchangeAuthCodeResponse>> =>
    app.api.post<ExchangeAuthCodeResponse>('/auth/keys', { json: { code, code_verifier: VERIFIER } });

  const codes = (): Promise<{ workspace_id: string | null }[]> =>
    app.rows('SELECT * FROM authorization_codes WHERE organization_id = $1', [organization.organizationId]);

  const denials = (): Promise<{ changes: object }[]> =>
    app.rows(`SELECT changes FROM audit_events WHERE organization_id = $1 AND action = 'authorization.deny'`, [
      organization.organizationId,
    ]);

  it('answers 200 with the application, the person and what is proposed, on a page that cannot be framed', async () => {
    const person = await signIn();
    const page = await person.open({
      callback_url: CALLBACK,
      ...S256,
      key_label: '<b>App</b>',
      limit: '12.5',
      usage_limit_type: 'weekly',
    });

    expect(page.status).toBe(200);
    expect(page.text).toContain('https://app.example.com');
    expect(page.text).toContain('not verified');
    expect(page.text).not.toContain('<b>App');
    expect(page.text).not.toContain('ANONYMOUS_OPERATIONS');
    expect(page.headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
      'cross-origin-opener-policy': 'same-origin',
      'content-security-policy': expect.stringMatching(/default-src 'none'.*frame-ancestors 'none'/) as string,
    });
    expect(formIn(page)).toMatchObject({
      key_label: '<b>App</b>',
      limit: '12.5',
      usage_limit_type: 'weekly',
      workspace_id: '',
    });
    expect(await codes()).toEqual([]);
  });

  it('goes on with a 200 to the callback with a code for a key as the person has changed it, and the state', async () => {
    const person = await signIn();
    const workspaceId = await app.factory.workspace(organization);
    await app.factory.workspaceMember(organization.organizationId, workspaceId, organization.userId, 'member');
    const query = { callback_url: CALLBACK, state: 'a b&c="', ...S256, limit: '100' };
    const changes = {
      limit: '3',
      usage_limit_type: 'daily',
      workspace_id: workspaceId,
      key_label: 'Mine',
      expires_at: '2099-01-02T03:04',
    };
    const answer = await person.allow(query, changes);

    expect(answer.status).toBe(200);
    const next = new URL(nextOf(answer)!);
    expect(next.href.startsWith(`${CALLBACK}&code=ac-gate-v2-`)).toBe(true);
    expect(next.searchParams.get('state')).toBe(query.state);
    const key = await exchange(next.searchParams.get('code')!);
    expect([key.status, key.body.user_id]).toEqual([200, organization.userId]);
    const current = await app.api.get<{ data: object }>('/key', { key: key.body.key });
    expect(current.body.data).toMatchObject({ limit: 3, limit_reset: 'daily', expires_at: '2099-01-02T03:04:00.000Z' });
    expect(await codes()).toMatchObject([{ workspace_id: workspaceId, key_label: 'Mine' }]);
  });

  it('makes one code, and answers 200 with it again, however often and however fast the form is sent', async () => {
    const person = await signIn();
    const form = { ...(await person.formOf({ callback_url: CALLBACK, ...S256 })), decision: 'allow' };
    const answers = await Promise.all(Array.from({ length: 8 }, () => person.answer(form)));

    expect(new Set(answers.map((answer) => [answer.status, nextOf(answer)].join())).size).toBe(1);
    expect(await codes()).toHaveLength(1);
    const { status } = await exchange(new URL(nextOf(answers[0]!)!).searchParams.get('code')!);
    expect(status).toBe(200);
    const late = await person.answer(form);
    expect([late.status, nextOf(late)]).toEqual([400, undefined]);
    expect(late.text).toContain('answered this already');
  });

  it('goes back with a 200 and access_denied when the person denies, and records it', async () => {
    const person = await signIn();
    const form = await person.formOf({ callback_url: CALLBACK, ...S256, state: 'x' });
    const answer = await person.answer({ ...form, decision: 'deny' });

    expect([answer.status, nextOf(answer)]).toEqual([200, `${CALLBACK}&error=access_denied&state=x`]);
    expect(await codes()).toEqual([]);
    expect(await denials()).toMatchObject([{ changes: { callback_url: { after: CALLBACK } } }]);
  });

  it('shows the code (200) to programs without a callback, which must have a challenge', async () => {
    const person = await signIn();
    const answer = await person.allow({ ...S256, key_label: 'my-tool' });
    const [code = ''] = /ac-gate-v2-[\w-]+/.exec(answer.text) ?? [];

    expect([answer.status, nextOf(answer)]).toEqual([200, undefined]);
    expect((await exchange(code)).status).toBe(200);
    const denied = await person.answer({ ...(await person.formOf({ ...S256 })), decision: 'deny' });
    expect([denied.status, nextOf(denied)]).toEqual([200, undefined]);
  });

  it.each([
    ['the callback', 'https://client.example.com/cb', 'https://client.example.com/cb'],
    ['the callback on another port of a loopback address', 'http://127.0.0.1/cb', 'http://127.0.0.1:51004/cb'],
  ])(
    'shows the name of a Connect client that has registered %s, and answers 200 without a challenge',
    async (...urls) => {
      const [, registered, callback] = urls;
      const person = await signIn();
      const client = await app.factory.client(organization, [registered]);
      const page = await person.open({ callback_url: callback, oauth_client_id: client.id });

      expect(page.status).toBe(200);
      expect(page.text).toContain('registered by your organization');
      expect(page.text).not.toContain('not verified');
      const answer = await person.answer({ ...formIn(page), decision: 'allow' });
      expect(nextOf(answer)!.startsWith(`${callback}?code=`)).toBe(true);
      const code = new URL(nextOf(answer)!).searchParams.get('code')!;
      expect((await app.api.post('/auth/keys', { json: { code } })).status).toBe(403);
      expect((await app.api.post('/auth/keys', { key: client.plaintext, json: { code } })).status).toBe(200);
    },
  );

  it.each([
    ['no callback and no challenge', {}],
    ['a callback in the clear', { callback_url: 'http://app.example.com/', ...S256 }],
    ['a script', { callback_url: 'javascript:alert(1)', ...S256 }],
    ['another scheme', { callback_url: 'app://callback', ...S256 }],
    ['a host behind a user name', { callback_url: 'https://app.example.com@evil.example/', ...S256 }],
    ['a fragment', { callback_url: 'https://app.example.com/#x', ...S256 }],
    ['no challenge for an application that is not registered', { callback_url: CALLBACK }],
    ['a plain challenge for one', { callback_url: CALLBACK, code_challenge: VERIFIER, code_challenge_method: 'plain' }],
    ['a client that has not registered the callback', { callback_url: CALLBACK, ...S256, oauth_client_id: 'x' }],
  ])('answers 400 with a page and no way on to %s', async (_, query) => {
    const page = await (await signIn()).open(query);

    expect([page.status, page.location, nextOf(page)]).toEqual([400, undefined, undefined]);
    expect(page.text).not.toContain('<a ');
  });

  it('answers 400 to a callback with the origin of a client that it is not registered for, and to two callbacks', async () => {
    const person = await signIn();
    await app.factory.client(organization, ['https://client.example.com/cb']);
    const other = await person.open({ callback_url: 'https://client.example.com/other', ...S256 });
    const text = new URLSearchParams({ callback_url: CALLBACK, ...S256 }).toString();
    const twice = await person.open(`${text}&callback_url=https%3A%2F%2Fevil.example%2F`);

    expect([other.status, twice.status]).toEqual([400, 400]);
  });

  it('answers 401 without a session, with the way to the sign-in and back', async () => {
    const browser = new Browser();
    const path = `/auth?${new URLSearchParams({ callback_url: CALLBACK, ...S256 }).toString()}`;
    const page = await browser.send(app.origin + path);

    expect(page.status).toBe(401);
    expect(page.text).toContain(`/auth/login?return_to=${encodeURIComponent(path)}`);
    expect((await browser.send(`${app.origin}/auth`, { method: 'POST', form: {} })).status).toBe(401);
  });

  it('answers 400 or 403 to forms of other sites, of other sessions, of other requests, and to none', async () => {
    const [person, other] = [await signIn(), await signIn()];
    const form = { ...(await person.formOf({ callback_url: CALLBACK, ...S256 })), decision: 'allow' };
    const statuses = [
      await person.answer(form, { 'sec-fetch-site': 'cross-site' }),
      await person.answer(form, { 'sec-fetch-site': 'same-site' }),
      await person.answer(form, { 'sec-fetch-site': undefined, origin: 'https://evil.example' }),
      await other.answer(form),
      await person.answer({ ...form, callback_url: 'https://evil.example/' }),
      await person.answer({ ...form, code_challenge: VERIFIER }),
      await person.answer({ ...form, state: 'other' }),
      await person.answer({ ...form, token: 'x' }),
      await person.answer({}),
    ].map(({ status }) => status);

    expect(statuses).toEqual([403, 403, 403, 400, 400, 400, 400, 400, 400]);
    expect(await codes()).toEqual([]);
  });

  it('answers 400 with the form again to fields that are not valid, and makes nothing', async () => {
    const person = await signIn();
    const query = { callback_url: CALLBACK, ...S256 };
    const foreign = (await app.factory.organization()).workspaceId;
    const notOwn = await app.factory.workspace(organization);
    const invalid: PageForm[] = [
      { limit: '-1' },
      { limit: 'much' },
      { expires_at: '2001-01-01T00:00' },
      { usage_limit_type: 'hourly' },
      { workspace_id: foreign },
      { workspace_id: notOwn },
      { workspace_id: 'x' },
    ];
    for (const changes of invalid) {
      const answer = await person.allow(query, changes);
      expect([changes, answer.status, nextOf(answer)]).toEqual([changes, 400, undefined]);
      expect(answer.text).toContain('Nothing was allowed yet');
    }
    expect(await codes()).toEqual([]);
  });

  it('gives members keys of their own (200), in their workspaces, and none once they are deactivated', async () => {
    const userId = await app.factory.member(organization.organizationId);
    const person = await signIn(userId);
    const answer = await person.allow({ callback_url: CALLBACK, ...S256 });
    const { body } = await exchange(new URL(nextOf(answer)!).searchParams.get('code')!);
    expect(body.user_id).toBe(userId);

    const form = { ...(await person.formOf({ callback_url: CALLBACK, ...S256 })), decision: 'allow' };
    await app.rows(
      `UPDATE organization_members SET deactivated_at = now(), deactivated_by = 'administrator' WHERE user_id = $1`,
      [userId],
    );
    const refused = await person.answer(form);
    expect([400, 401]).toContain(refused.status);
    expect(nextOf(refused)).toBeUndefined();
  });

  describe('by the settings of the organization', () => {
    const settle = async (json: object): Promise<void> => {
      const { status } = await app.api.patch('/organization/settings', { key: organization.managementKey, json });
      expect(status).toBe(200);
    };

    it('answers 403 to members where only administrators consent, also to a form that was shown before, and 200 to those', async () => {
      const member = await signIn(await app.factory.member(organization.organizationId));
      const query = { callback_url: CALLBACK, ...S256 };
      const form = { ...(await member.formOf(query)), decision: 'allow' };
      await settle({ consent_by: 'administrators' });

      const answers = [await member.open(query), await member.answer(form), await member.open({ ...S256 })];
      expect(answers.map(({ status }) => status)).toEqual([403, 403, 403]);
      expect(answers[0]!.text).toContain('only administrators');
      expect(await codes()).toEqual([]);
      expect((await (await signIn()).allow(query)).status).toBe(200);
      await settle({ consent_by: 'members' });
      expect((await member.open(query)).status).toBe(200);
    });

    it.each([
      ['with a callback', { callback_url: CALLBACK, ...S256 }],
      ['for a program without one', { ...S256 }],
    ])('answers 400 to a limit above the highest one and to none, and 200 to one below it, %s', async (_, query) => {
      await settle({ consent_maximum_limit: 20 });
      const person = await signIn();

      expect(formIn(await person.open(query))).toMatchObject({ limit: '20' });
      expect(formIn(await person.open({ ...query, limit: '100' }))).toMatchObject({ limit: '20' });
      expect(formIn(await person.open({ ...query, limit: '5' }))).toMatchObject({ limit: '5' });
      for (const limit of ['20.01', '']) {
        const refused = await person.allow(query, { limit });
        expect([refused.status, nextOf(refused)]).toEqual([400, undefined]);
        expect(refused.text).toContain('at most 20');
      }
      expect(await codes()).toEqual([]);
      expect((await person.allow(query, { limit: '20', usage_limit_type: 'daily' })).status).toBe(200);
      expect(await codes()).toMatchObject([{ key_limit_usd: 20 }]);
    });
  });

  it('shows the guardrails of the person and of the workspaces with a 200, as far as there are any', async () => {
    const { managementKey: key, userId } = organization;
    const person = await signIn();
    const query = { callback_url: CALLBACK, ...S256 };
    expect((await person.open(query)).text).toContain('none, in any of your workspaces');

    const { body: made } = await app.api.post<{ data: { id: string } }>('/guardrails', {
      key,
      json: { name: '<i>Own</i>' },
    });
    await app.api.post(`/guardrails/${made.data.id}/assignments/members`, { key, json: { member_user_ids: [userId] } });
    const workspaceId = await app.factory.workspace(organization, 'research');
    await app.factory.workspaceMember(organization.organizationId, workspaceId, userId, 'member');
    const { body: workspace } = await app.api.get<{ data: { default_guardrail_id: string } }>(
      `/workspaces/${workspaceId}`,
      { key },
    );
    await app.api.patch(`/guardrails/${workspace.data.default_guardrail_id}`, { key, json: { name: 'For research' } });

    const { status, text } = await person.open(query);
    expect(status).toBe(200);
    expect(text).toContain('&#60;i&#62;Own&#60;/i&#62;</strong> in the workspace Default');
    expect(text).toContain('<strong>For research</strong> in the workspace research');
  });

  it('answers 429 to the twenty-first page of a session within a minute', async () => {
    const person = await signIn();
    const statuses: number[] = [];
    for (let number = 0; number < 21; number += 1) {
      statuses.push((await person.open({ callback_url: CALLBACK, ...S256 })).status);
    }
    expect(statuses).toEqual([...Array.from({ length: 20 }, () => 200), 429]);
  });

  it('says what an administrator sets where an application cannot exchange codes, with a 200', async () => {
    const closed = await app.replica();
    const person = await ConsentingPerson.signIn(closed, organization);
    const page = await person.open({ callback_url: CALLBACK, ...S256 });

    expect(page.status).toBe(200);
    expect(page.text).toContain('ANONYMOUS_OPERATIONS=exchangeAuthCodeForAPIKey');
  });
});
