const stops: (() => Promise<void>)[] = [];

// Of the describe block in which this module is loaded. That has to be the outermost one, since the block of a single file ends
// before the other files of a suite (test/suites/spec-files.ts).
afterAll(() => Promise.all(stops.map((stop) => stop())));

/** Stops something after all tests, even if filtering skips the block that started it. */
export function stopAtEnd(stop: () => Promise<void>): void {
  stops.push(stop);
}
