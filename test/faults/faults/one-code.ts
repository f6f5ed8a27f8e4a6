import { codeChallengeOf } from '../../../src/modules/oauth/codes/code-challenge.js';
import { randomBytes } from 'node:crypto';
import type { Fault } from '../support/fault.js';
import { isSuccess, summaryOf } from '../support/outcomes.js';
import { query } from '../support/postgres-server.js';
import { hashOf } from '../support/rows.js';
import { meetAtTable, PATIENT_WITH_LOCKS } from '../support/table-lock.js';

const EXCHANGES = 200;

/** How many of them are to find the code unused at the same moment. */
const MEETING = 30;

/** Of many exchanges of one code over two replicas, one makes a key. */
export const ONE_CODE: Fault = {
  name: 'one-code',
  title: `${EXCHANGES} exchanges of one code at the same time over two replicas`,
  run: async (scene) => {
    const { verdict } = scene;
    const services = await Promise.all([scene.service(PATIENT_WITH_LOCKS), scene.service(PATIENT_WITH_LOCKS)]);
    const url = await scene.database();
    const callers = services.map((service) => scene.caller(service));
    // With a challenge, so that the losers do not disable the winner's key (docs/interface/keys-and-oauth.md#exchange).
    const verifier = randomBytes(32).toString('base64url');
    const made = await callers[0]!.post('/auth/keys/code', {
      callback_url: 'https://fault.example/callback',
      code_challenge: codeChallengeOf(verifier, 'S256'),
      code_challenge_method: 'S256',
    });
    const { data } = JSON.parse(made.text) as { data: { id: string } };
    scene.keepSecret(verifier, data.id);

    const { outcome: outcomes, met } = await meetAtTable(url, 'authorization_codes', MEETING, () =>
      Promise.all(
        Array.from({ length: EXCHANGES }, (_, number) =>
          callers[number % callers.length]!.post('/auth/keys', { code: data.id, code_verifier: verifier }),
        ),
      ),
    );
    const winners = outcomes.filter(isSuccess);
    const refused = outcomes.filter(({ status }) => status === 403);
    const keys = winners.map(({ text }) => (JSON.parse(text) as { key: string }).key);
    scene.keepSecret(...keys);
    const rows = await query<{ hash: string }>(
      url,
      `SELECT encode(k.hash, 'hex') AS hash FROM api_keys k WHERE k.name = 'OAuth key'`,
    );
    verdict.figure('sent', outcomes.length);
    verdict.figure('keys', winners.length);
    verdict.figure('refused', refused.length);
    verdict.figure('failed', outcomes.length - winners.length - refused.length);
    verdict.figure('rows', rows.length);
    verdict.figure('met', met);
    verdict.expect(met > 1, 'several find the code unused at the same moment', met);
    verdict.expect(
      winners.length === 1 && refused.length === EXCHANGES - 1,
      'one exchange makes a key, the others are a 403',
      summaryOf(outcomes),
    );
    verdict.expect(
      rows.length === 1 && rows[0]!.hash === hashOf(keys[0] ?? ''),
      'its row is the only one',
      rows.length,
    );
    for (const caller of callers) {
      const use = await caller.get('/images/models', keys[0]);
      verdict.expect(isSuccess(use), 'every replica takes the key', use.status);
    }
  },
};
