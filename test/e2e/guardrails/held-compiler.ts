import { PatternThread } from '../../../packages/patterns/pattern-thread.js';

/** Lets the test say when the thread that compiles patterns goes on. */
export interface HeldCompiler {
  /** The first pattern of each request that the thread was given, in that order. */
  readonly given: readonly string[];
  /** Lets the thread work. */
  release(): void;
}

type Compile = PatternThread['compile'];

/** Holds up the thread with the next patterns that it is given; the mocks of Jest must be restored afterwards. */
export function holdCompiler(): HeldCompiler {
  const given: string[] = [];
  let release!: () => void;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const compile = Object.getOwnPropertyDescriptor(PatternThread.prototype, 'compile')!.value as Compile;
  jest.spyOn(PatternThread.prototype, 'compile').mockImplementation(async function (this: PatternThread, patterns) {
    given.push(patterns[0]!);
    await released;
    return compile.call(this, patterns);
  });
  return { given, release };
}
