const RealDate = Date;

/** Moves the clock that the application reads, and nothing else: timers go on as before. */
export function moveReplicaClock(byMs: number): void {
  globalThis.Date = class extends RealDate {
    constructor(...given: unknown[]) {
      super(...((given.length === 0 ? [RealDate.now() + byMs] : given) as [number]));
    }

    static override now(): number {
      return RealDate.now() + byMs;
    }
  } as DateConstructor;
}

/** Undoes {@link moveReplicaClock}. */
export function restoreReplicaClock(): void {
  globalThis.Date = RealDate;
}

/** The true time in ms, whatever the application reads. */
export function trueTime(): number {
  return RealDate.now();
}
