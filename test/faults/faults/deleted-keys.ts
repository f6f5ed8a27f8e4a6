import type { Fault } from '../support/fault.js';
import { forEachNumber } from '../support/load.js';
import { isSuccess, summaryOf } from '../support/outcomes.js';
import type { Outcome } from '../support/caller.js';
import { hashOf, makeKeys } from '../support/rows.js';

/** How many keys are in use at the same time, and how many users each has. */
const KEYS_AT_ONCE = 8;
const USERS = 2;

/** What each user still tries once the deletion has answered. */
const TRIES_AFTERWARDS = 3;

/** A key that is deleted on one replica is refused by the other from the moment that the deletion has answered. */
export const DELETED_KEYS: Fault = {
  name: 'deleted-keys',
  title: '1,000 keys deleted on one replica while the other uses them',
  run: async (scene) => {
    const { verdict } = scene;
    const [first, second] = await Promise.all([scene.service(), scene.service()]);
    const administrator = scene.caller(first);
    const user = scene.caller(second);
    const keys = await makeKeys(await scene.database(), scene.tenant, 'api_key', scene.count(1_000, 100));
    scene.keepSecret(...keys);
    const uses: Outcome[] = [];
    const deletions: Outcome[] = [];
    const acceptedAfterwards: Outcome[] = [];

    await forEachNumber(keys.length, KEYS_AT_ONCE, async (number) => {
      const key = keys[number]!;
      let deletedAt = Number.POSITIVE_INFINITY;
      let isInUse = (): void => undefined;
      const inUse = new Promise<void>((resolve) => (isInUse = resolve));
      const useIt = async (): Promise<void> => {
        for (let left = TRIES_AFTERWARDS; left > 0;) {
          const use = await user.get('/images/models', key);
          uses.push(use);
          isInUse();
          if (use.startedAt < deletedAt) continue;
          left -= 1;
          if (use.status !== 401) acceptedAfterwards.push(use);
        }
      };
      const users = Array.from({ length: USERS }, useIt);
      await inUse;
      const deletion = await administrator.delete(`/keys/${hashOf(key)}`);
      deletedAt = deletion.endedAt;
      deletions.push(deletion);
      await Promise.all(users);
    });

    const strange = uses.filter((use) => !isSuccess(use) && use.status !== 401);
    verdict.figure('keys deleted', deletions.filter(isSuccess).length);
    verdict.figure('uses sent', uses.length);
    verdict.figure('accepted before', uses.filter(isSuccess).length);
    verdict.figure('accepted after the 200', acceptedAfterwards.length);
    verdict.figure('failed', strange.length);
    verdict.expect(deletions.every(isSuccess), 'every deletion is answered with 200', summaryOf(deletions));
    verdict.expect(strange.length === 0, 'a use is accepted or refused, none fails', summaryOf(strange));
    verdict.expect(
      acceptedAfterwards.length === 0,
      'no use that was sent after the 200 is accepted',
      summaryOf(acceptedAfterwards),
    );
    verdict.expect(uses.filter(isSuccess).length >= keys.length, 'every key was in use before');
  },
};
