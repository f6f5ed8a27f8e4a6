import { filledBefore } from './filled-before.js';
import { TestApplication, type TestApplicationOptions } from './test-application.js';

/** The application of a describe block, which starts before its tests and stops after them. */
export function sharedApplication(options?: TestApplicationOptions): TestApplication {
  const app = filledBefore(beforeAll, () => TestApplication.start(options));
  afterAll(() => app.stop());
  return app;
}

/** A second replica of the application of a describe block, which stops with it. */
export function sharedReplica(
  app: Pick<TestApplication, 'replica'>,
  variables?: Readonly<Record<string, string>>,
): TestApplication {
  return filledBefore(beforeAll, () => app.replica(variables));
}
