import { filledBefore } from './filled-before.js';
import { applicationOfTopic } from './shared-by-topic.js';
import type { TestApplication } from './test-application.js';

/**
 * The application without variables of a test's own, which files of a suite share: those that make organizations of their own, change
 * nothing outside of them, and expect nothing of the database or the log as a whole.
 */
export const applicationOfSuite = applicationOfTopic();

let replica: Promise<TestApplication> | undefined;

/** A second replica of {@link applicationOfSuite}, which these files share too. It stops with the application. */
export function replicaOfSuite(app: Pick<TestApplication, 'replica'>): TestApplication {
  return filledBefore(beforeAll, () => (replica ??= app.replica()));
}
