import { filledBefore } from './filled-before.js';
import { Shared, type Sharing } from './shared.js';
import { TestApplication, type TestApplicationOptions } from './test-application.js';

const applications = new Shared<TestApplication>();

/**
 * The application of a describe block, which starts before its tests and stops after them.
 *
 * @param options with a topic, blocks of several files share it: `suite` is that of all files that make organizations of their own, change
 *   nothing outside of them, and expect nothing of the database or the log as a whole
 */
export function sharedApplication({ topic, ...options }: TestApplicationOptions & Sharing = {}): TestApplication {
  return applications.forBlock(() => TestApplication.start(options), { topic });
}

/** A second replica of the application of a describe block, which stops with it. */
export function sharedReplica(
  app: Pick<TestApplication, 'replica'>,
  variables?: Readonly<Record<string, string>>,
): TestApplication {
  return filledBefore(beforeAll, () => app.replica(variables));
}

let replica: Promise<TestApplication> | undefined;

/** A second replica of the application of the topic `suite`, which its files share too. It stops with the application. */
export function replicaOfSuite(app: Pick<TestApplication, 'replica'>): TestApplication {
  return filledBefore(beforeAll, () => (replica ??= app.replica()));
}
