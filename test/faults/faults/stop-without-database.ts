import { setTimeout as delay } from 'node:timers/promises';
import type { Fault } from '../support/fault.js';
import { becomesTrue } from '../support/becomes-true.js';

/** What the service's own grace period and the closing of connections take together, in milliseconds. */
const GRACE_MS = 150_000;

/** A database that does not answer does not keep the service from stopping. */
export const STOP_WITHOUT_DATABASE: Fault = {
  name: 'stop-without-database',
  title: 'SIGTERM while PostgreSQL is frozen, with a request under way',
  run: async (scene) => {
    const { verdict, deployment } = scene;
    const service = await scene.service();
    const caller = scene.caller(service);
    // Several connections, which all have to be closed.
    await Promise.all(Array.from({ length: 10 }, () => caller.get('/images/models')));
    await deployment.postgres.freeze();
    try {
      const request = caller.get('/images/models');
      await delay(100);
      const signalledAt = performance.now();
      service.signal('SIGTERM');
      const { status } = await request;
      verdict.expect(status === 500, 'the request is answered', status);
      const hasEnded = await becomesTrue(() => !service.isRunning, GRACE_MS);
      verdict.figure('sent', 11);
      verdict.figure('failed', 1);
      verdict.figure('stop ms', Math.round(performance.now() - signalledAt));
      verdict.expect(hasEnded, `the process ends within ${GRACE_MS} ms`);
      if (!hasEnded) service.signal('SIGKILL');
      const { code, signal } = await service.exit();
      verdict.expect(code === 0, 'it ends with exit code 0', { code, signal });
    } finally {
      await deployment.postgres.thaw();
    }
  },
};
