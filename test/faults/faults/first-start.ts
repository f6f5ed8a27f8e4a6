import { randomBytes } from 'node:crypto';
import { BENCH_ENCRYPTION_KEY } from '../../../bench/support/constants.js';
import { MIGRATIONS } from '../../../src/persistence/migrations/index.js';
import type { Fault } from '../support/fault.js';
import { isSuccess, summaryOf } from '../support/outcomes.js';
import { query } from '../support/postgres-server.js';
import { becomesTrue } from '../support/becomes-true.js';

const REPLICAS = 3;

/** How long they may take until each of them waits for the database, in milliseconds. */
const MEETING_MS = 200_000;

/** Replicas that start at the same time on a database with nothing in it set it up together, once. */
export const FIRST_START: Fault = {
  name: 'first-start',
  title: `${REPLICAS} replicas starting at the same time on an empty database`,
  run: async (scene) => {
    const { verdict, deployment } = scene;
    const { postgres } = deployment;
    const rounds = scene.count(2, 1);
    let cameUp = 0;
    for (let round = 0; round < rounds; round += 1) {
      const url = await deployment.emptyDatabase(`fault_${randomBytes(6).toString('hex')}`);
      const variables = { DATABASE_URL: url, ENCRYPTION_KEY: BENCH_ENCRYPTION_KEY.toString('base64') };
      // All of them are there before the first is let in.
      const before = await postgres.connections();
      await postgres.freeze();
      const services = Array.from({ length: REPLICAS }, () => scene.launch(variables));
      const met = await becomesTrue(async () => (await postgres.connections()) >= before + REPLICAS, MEETING_MS);
      await postgres.thaw();
      verdict.expect(met, 'all replicas ask for the database at the same moment');
      await Promise.all(services.map((service) => service.announced()));
      cameUp += services.length;
      const shown = services.flatMap(({ shownKey }) => shownKey ?? []);
      scene.keepSecret(...shown);
      verdict.expect(shown.length === 1, 'one replica made the organization, and shows its key', shown.length);
      const answers = await Promise.all(
        services.map((service) => scene.callerAt(`${service.origin}/api/v1`, shown[0]).get('/images/models')),
      );
      verdict.expect(answers.every(isSuccess), 'every replica takes that key', summaryOf(answers));

      const migrations = await query<{ name: string }>(url, 'SELECT name FROM schema_migrations');
      const names = new Set(migrations.map(({ name }) => name));
      verdict.expect(
        migrations.length === names.size && MIGRATIONS.every(({ name }) => names.has(name)),
        'every migration ran once',
        migrations,
      );
      for (const table of ['organizations', 'users', 'workspaces', 'api_keys']) {
        const [row] = await query<{ count: string }>(url, `SELECT count(*) FROM ${table}`);
        verdict.expect(row!.count === '1', `there is one row in ${table}`, row!.count);
      }
      const models = await query(url, 'SELECT id FROM models');
      verdict.expect(models.length > 0, 'there is a catalog');
      const complaints = services.flatMap((service) =>
        service.logLines.filter(({ level }) => level === 'error' || level === 'fatal'),
      );
      verdict.expect(complaints.length === 0, 'no process logs an error', complaints);
      await scene.stopServices();
    }
    verdict.figure('replicas started', rounds * REPLICAS);
    verdict.figure('came up', cameUp);
    verdict.figure('failed', rounds * REPLICAS - cameUp);
  },
};
