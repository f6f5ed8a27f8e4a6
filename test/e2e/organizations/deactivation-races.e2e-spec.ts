import type { IssuedKeyResponse } from '../../../src/modules/keys/dto/key.dto.js';
import type { ExchangeAuthCodeResponse } from '../../../src/modules/oauth/codes/authorization-code.dto.js';
import { COMMAND_LINE } from '../../../src/modules/audit/audit-trail.js';
import { MembersService } from '../../../src/modules/organizations/members/members.service.js';
import { Statements } from '../../../src/persistence/statements.js';
import { sharedApplication } from '../../support/application/shared-application.js';
import { organizationPerTest } from '../../support/application/shared-organization.js';
import { lockRows, untilWaitingForLock } from '../../support/database/row-locks.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { newCode } from '../../support/resources/authorization-codes.js';
import { newClient } from '../../support/resources/connect-clients.js';
import { newKey } from '../../support/resources/keys.js';
import { MemberStates } from '../../support/resources/members.js';

/** How often everything is done at once. */
const ROUNDS = 40;

const CLIENT_CALLBACK = 'https://races.example.com/callback';

describe('the deactivation of a member', () => {
  const app = sharedApplication();
  const organization = organizationPerTest(app);
  const states = new MemberStates(app, () => organization.organizationId);

  const createFor = (user: string) =>
    app.api.post<IssuedKeyResponse>('/keys', {
      key: organization.managementKey,
      json: { name: 'Late', creator_user_id: user },
    });

  const rotate = (hash: string) =>
    app.api.post<IssuedKeyResponse>(`/keys/${hash}/rotate`, {
      key: organization.managementKey,
      json: { grace_seconds: 3600 },
    });

  const exchange = (key: string, code: string) =>
    app.api.post<ExchangeAuthCodeResponse>('/auth/keys', { key, json: { code } });

  const createCode = (user: string) =>
    app.api.post<{ data: { id: string } }>('/auth/keys/code', {
      key: organization.managementKey,
      json: { callback_url: 'https://app.example.com/', user_id: user },
    });

  /** Deactivates a member, and commits only when that is let go of. */
  const deactivateHeld = async (user: string): Promise<() => Promise<unknown>> => {
    let letGo!: () => void;
    const gate = new Promise<void>((resolve) => (letGo = resolve));
    let begun!: () => void;
    const isBegun = new Promise<void>((resolve) => (begun = resolve));
    const members = { organizationId: organization.organizationId, userIds: [user], by: 'directory' } as const;
    const done = app.application.get(Statements).transaction(async (tx) => {
      await app.application.get(MembersService).deactivate(tx, COMMAND_LINE, members);
      begun();
      await gate;
    });
    await isBegun;
    return () => {
      letGo();
      return done;
    };
  };

  const expectRefused = async (keys: readonly string[]): Promise<void> => {
    for (const key of keys) {
      expectRefusal(await app.api.get('/key', { key }), { status: 401, reason: 'member_deactivated' });
    }
  };

  it(`leaves no key that is accepted (401) and no code (403), whatever makes keys at the same time`, async () => {
    const { organizationId, managementKey } = organization;
    const client = await newClient(app, managementKey, 'races', [CLIENT_CALLBACK]);
    let made = 0;

    for (let round = 0; round < ROUNDS; round += 1) {
      const user = await app.factory.member(organizationId);
      const first = await newKey(app, managementKey, { creator_user_id: user });
      const code = await newCode(app, managementKey, { user_id: user });
      const ofClient = await newCode(app, managementKey, { user_id: user, callback_url: CLIENT_CALLBACK });
      const races = [
        () => createFor(user).then(({ body }) => body.key),
        () => rotate(first.data.hash).then(({ body }) => body.key),
        () => exchange(managementKey, code).then(({ body }) => body.key),
        () => exchange(client.client_secret, ofClient).then(({ body }) => body.key),
        () => createCode(user).then(({ body }) => body.data?.id),
        () => states.deactivate([user], 'directory').then(() => undefined),
      ];
      // Each round begins with another one of them.
      const turned = races.map((_, index) => races[(index + round) % races.length]!);
      const handedOut = await Promise.all(turned.map((race) => race()));

      const keys = handedOut.filter((text) => text?.startsWith('sk-') === true) as string[];
      made += keys.length;
      await expectRefused([first.key, ...keys]);
      const lateCode = handedOut.find((text) => text?.startsWith('ac-') === true);
      for (const left of [code, ofClient, ...(lateCode === undefined ? [] : [lateCode])]) {
        expect((await exchange(client.client_secret, left)).status).toBe(403);
      }
    }
    expect(made).toBeGreaterThan(0);
  });

  it('lets a creation that comes second wait, and answers 400, and 403 for codes', async () => {
    const { organizationId, managementKey, userId } = organization;
    const user = await app.factory.member(organizationId);
    const code = await newCode(app, managementKey, { user_id: user });
    const letGo = await deactivateHeld(user);

    const late = [createFor(user), exchange(managementKey, code), createCode(user)] as const;
    await untilWaitingForLock(app, 3);
    await letGo();

    const [created, exchanged, newCodeOf] = await Promise.all(late);
    expectRefusal(created, { status: 400, reason: 'user_not_found', paths: ['creator_user_id'], userId });
    expect(exchanged.status).toBe(403);
    expectRefusal(newCodeOf, { status: 400, reason: 'user_not_found', paths: ['user_id'], userId });
    expect(await app.rows('SELECT id FROM api_keys WHERE user_id = $1', [user])).toEqual([]);
    expect(await app.rows('SELECT id FROM authorization_codes WHERE user_id = $1', [user])).toEqual([]);
  });

  it('waits for a creation that comes first (201), and refuses its key (401)', async () => {
    const { organizationId, managementKey } = organization;
    const user = await app.factory.member(organizationId);
    await newKey(app, managementKey);
    // What was recorded is added to the chain at the end of a transaction, which waits for its head.
    const heads = 'SELECT FROM audit_heads WHERE organization_id = $1 FOR UPDATE';
    const letGo = await lockRows(app, heads, [organizationId]);

    const creating = createFor(user);
    await untilWaitingForLock(app, 1);
    const deactivating = states.deactivate([user], 'directory');
    await untilWaitingForLock(app, 2);
    await letGo();

    const { status, body } = await creating;
    expect(status).toBe(201);
    expect(await deactivating).toEqual([user]);
    await expectRefused([body.key]);
  });

  it('answers 401 to a caller who is deactivated while it creates a key of its own', async () => {
    const user = await app.factory.member(organization.organizationId, 'admin');
    const own = await app.factory.key({ ...organization, userId: user }, { kind: 'management_key' });
    const letGo = await deactivateHeld(user);

    const creating = app.api.post('/keys', { key: own.plaintext, json: { name: 'Own' } });
    await untilWaitingForLock(app, 1);
    await letGo();

    expectRefusal(await creating, { status: 401, reason: 'member_deactivated', userId: user });
  });
});
