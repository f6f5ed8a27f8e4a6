import { filledBefore } from './filled-before.js';
import { stopAtEnd } from './stop-at-end.js';
import { TestApplication, type TestApplicationOptions } from './test-application.js';

/** What starts before tests, and stops after them. */
interface Started {
  stop(): Promise<void>;
}

/**
 * Something that the files of one topic share, because starting it takes seconds: it starts before the tests of the first of them that
 * run together, and stops after those of the last.
 *
 * @param start makes it
 * @returns is called in the describe block of each file
 */
export function sharedByTopic<Made extends Started>(start: () => Promise<Made>): () => Made {
  let blocks = 0;
  let started: Promise<Made> | undefined;
  const stop = async (): Promise<void> => {
    const made = await started;
    started = undefined;
    await made?.stop();
  };
  stopAtEnd(stop);
  return () => {
    blocks += 1;
    const made = filledBefore(beforeAll, () => (started ??= start()));
    afterAll(async () => {
      blocks -= 1;
      if (blocks === 0) await stop();
    });
    return made;
  };
}

/** An application that the files of one topic share ({@link sharedByTopic}). */
export function applicationOfTopic(options?: TestApplicationOptions): () => TestApplication {
  return sharedByTopic(() => TestApplication.start(options));
}
