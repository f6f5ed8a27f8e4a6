import { COMMAND_LINE } from '../../../src/modules/audit/audit-trail.js';
import { MembersService } from '../../../src/modules/organizations/members/members.service.js';
import type { NewKey } from '../../../src/modules/keys/new-key.js';
import type { IssuedCredential } from '../../../src/modules/keys/keys.service.js';
import { Statements } from '../../../src/persistence/statements.js';
import { keyPerTest, memberPerTest, organizationPerTest } from '../../support/application/shared-organization.js';
import { QUESTION } from '../inference/test-gateway.js';
import { sharedGateway } from '../inference/shared-gateway.js';
import { eventsOf } from '../inference/read-answers.js';
import type { Browser, BrowserAnswer, BrowserRequest } from './browser.js';
import { signedInBrowser } from './signed-in.js';

/** How an operation of inference answers in a session of the console (docs/interface/sign-in.md#requests-of-inference). */
describe('a request of inference in a session', () => {
  const gateway = sharedGateway();
  const organization = organizationPerTest(gateway);
  const key = keyPerTest(gateway, organization);
  const member = memberPerTest(gateway, organization);

  const signedIn = (userId = organization.userId): Promise<Browser> =>
    signedInBrowser(gateway.app, { organizationId: organization.organizationId, userId });

  const keyOf = (fields: Partial<NewKey>): Promise<IssuedCredential> => gateway.factory.key(organization, fields);

  const ask = (browser: Browser, keyHash: string | undefined, { json, headers }: BrowserRequest = {}) =>
    browser.send(`${gateway.app.origin}/console/api/v1/chat/completions`, {
      method: 'POST',
      json: { model: 'acme/writer', messages: QUESTION, ...(json as object | undefined) },
      headers: { 'x-key-hash': keyHash, ...headers },
    });

  const refusalIn = ({ text }: BrowserAnswer): unknown =>
    (JSON.parse(text) as { error: { metadata: { reason: string } } }).error.metadata.reason;

  const recordOf = (answer: BrowserAnswer) =>
    gateway.record({ headers: new Headers({ 'x-generation-id': String(answer.headers['x-generation-id']) }) }, key);

  it('answers 200 as the key that it names, whose record says in which session it came', async () => {
    const browser = await signedIn();
    const session = await browser.send(`${gateway.app.origin}/console/api/v1/session`);

    const answer = await ask(browser, key.hash);
    const withSecret = await gateway.ask(key);

    expect(answer.status).toBe(200);
    const record = await recordOf(answer);
    const { data } = JSON.parse(session.text) as { data: { session_id: string } };
    expect(record).toMatchObject({
      status: 200,
      key_hash: key.hash,
      user_id: organization.userId,
      console_session_id: data.session_id,
    });
    expect(record.total_cost).toBeGreaterThan(0);
    expect(await gateway.record(withSecret, key)).not.toHaveProperty('console_session_id');
  });

  it('answers 200 with a stream', async () => {
    const answer = await ask(await signedIn(), key.hash, { json: { stream: true } });

    expect(answer.headers['content-type']).toBe('text/event-stream; charset=utf-8');
    expect(eventsOf(answer.text).at(-1)).toBe('[DONE]');
  });

  it('answers 403 under a guardrail of the key, and records it', async () => {
    await gateway.assign(
      organization,
      key,
      (await gateway.factory.guardrail(organization, { content_filters: [{ pattern: 'new', action: 'block' }] })).id,
    );

    const answer = await ask(await signedIn(), key.hash);

    expect(answer.status).toBe(403);
    expect(refusalIn(answer)).toBe('content_blocked');
    expect(await recordOf(answer)).toMatchObject({ status: 403, refusal: 'content_blocked', key_hash: key.hash });
    expect(gateway.alpha.received).toEqual([]);
  });

  it('answers 403 when the limit of the key is met', async () => {
    const limited = await keyOf({ limitUsd: 0 });

    const answer = await ask(await signedIn(), limited.hash);

    expect([answer.status, refusalIn(answer)]).toEqual([403, 'key_limit_exceeded']);
  });

  it('answers 401 for a key of another member, of another organization, a management key, and none at all', async () => {
    const other = await gateway.factory.organization();
    const hashes = {
      member: (await keyOf({ userId: member.id })).hash,
      organization: (await gateway.factory.key(other)).hash,
      management: (await keyOf({ kind: 'management_key' })).hash,
      unknown: 'f'.repeat(64),
      secret: key.plaintext,
      several: `${key.hash}, ${key.hash}`,
      empty: '',
    };
    const browser = await signedIn();

    for (const [name, hash] of Object.entries(hashes)) {
      const answer = await ask(browser, hash);
      expect({ name, status: answer.status, reason: refusalIn(answer) }).toEqual({
        name,
        status: 401,
        reason: 'invalid_credential',
      });
    }
    expect(gateway.alpha.received).toEqual([]);
  });

  it('answers 401 to a member who names the key of an administrator, and 200 for their own', async () => {
    const browser = await signedIn(member.id);
    const own = await keyOf({ userId: member.id });

    expect((await ask(browser, key.hash)).status).toBe(401);
    expect((await ask(browser, own.hash)).status).toBe(200);
  });

  it('answers 401 from the moment on at which the key is disabled or deleted', async () => {
    const browser = await signedIn();
    const path = `/keys/${key.hash}`;
    const { managementKey } = organization;

    await gateway.app.api.patch(path, { key: managementKey, json: { disabled: true } });
    expect(refusalIn(await ask(browser, key.hash))).toBe('credential_disabled');
    await gateway.app.api.delete(path, { key: managementKey });
    expect(refusalIn(await ask(browser, key.hash))).toBe('invalid_credential');
  });

  it('answers 401 for a key that has expired, and 403 for one that is bound to other addresses', async () => {
    const browser = await signedIn();
    const expired = await keyOf({ expiresAt: new Date(Date.now() - 1_000) });
    const bound = await keyOf({ allowedAddresses: ['192.0.2.0/24'] });

    expect(refusalIn(await ask(browser, expired.hash))).toBe('credential_expired');
    expect(refusalIn(await ask(browser, bound.hash))).toBe('client_address_not_allowed');
  });

  it('answers 403 from a page of another site, which reaches no provider', async () => {
    const answer = await ask(await signedIn(), key.hash, { headers: { 'sec-fetch-site': 'cross-site' } });

    expect([answer.status, refusalIn(answer)]).toEqual([403, 'cross_site_request']);
    expect(gateway.alpha.received).toEqual([]);
  });

  it('answers 401 without a session, and with one that has ended with its member', async () => {
    const browser = await signedIn();
    const { organizationId, userId } = organization;
    const members = gateway.app.application.get(MembersService);
    const change = { organizationId, userIds: [userId], by: 'administrator' } as const;
    await gateway.app.application.get(Statements).transaction((tx) => members.deactivate(tx, COMMAND_LINE, change));

    for (const headers of [{}, { cookie: undefined }]) {
      expect(refusalIn(await ask(browser, key.hash, { headers }))).toBe('session_missing');
    }
  });

  it('answers 403 without a key, and 200 elsewhere, where the header counts for nothing', async () => {
    const browser = await signedIn();
    const headers = { 'x-key-hash': key.hash };

    const keyless = await ask(browser, undefined);
    const currentKey = await browser.send(`${gateway.app.origin}/console/api/v1/key`, { headers });
    const listed = await browser.send(`${gateway.app.origin}/console/api/v1/guardrails`, { headers });

    expect([keyless.status, refusalIn(keyless)]).toEqual([403, 'credential_kind_not_allowed']);
    expect([currentKey.status, refusalIn(currentKey)]).toEqual([403, 'credential_kind_not_allowed']);
    expect(listed.status).toBe(200);
  });

  it('answers 401 below the path of the interface, where the header is no credential', async () => {
    const answer = await gateway.app.api.post('/chat/completions', {
      json: { model: 'acme/writer', messages: QUESTION },
      headers: { 'x-key-hash': key.hash },
    });

    expect(answer.status).toBe(401);
  });
});
