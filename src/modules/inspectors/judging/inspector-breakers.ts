import { LRUCache } from 'lru-cache';

/** How many failures in a row open the breaker of an inspector, and how long it is not asked then, in milliseconds. */
const FAILURES = 5;
const OPEN_MS = 10_000;

/** How many inspectors are remembered that have failed. */
const REMEMBERED = 10_000;

interface BreakerState {
  readonly failures: number;
  /** When it may be asked again, by the clock of the breakers; undefined while it is closed. */
  readonly openUntil?: number;
  /** Whether one request asks it now, to see whether it works again. */
  readonly isTried?: boolean;
}

const CLOSED: BreakerState = { failures: 0 };

/** Asked once, and told how that went. */
export interface AdmittedRequest {
  succeeded(): void;
  failed(): void;
  /** It ended without a word about the inspector. */
  ended(): void;
}

/**
 * Keeps requests from inspectors that fail: after five failures in a row one is not asked for ten seconds, and then by one request alone, until it
 * answers. Each process has its own.
 */
export class InspectorBreakers {
  private readonly states = new LRUCache<string, BreakerState>({ max: REMEMBERED });

  /**
   * @param changed is told when a breaker opens (1) and closes (-1)
   * @param now milliseconds of any clock
   */
  constructor(
    private readonly changed: (protocol: string, change: 1 | -1) => void,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** @param version differs after a change of the inspector, which begins anew @returns undefined while it is not to be asked */
  admit(protocol: string, version: string): AdmittedRequest | undefined {
    const { failures, openUntil, isTried } = this.states.get(version) ?? CLOSED;
    if (openUntil !== undefined) {
      if (isTried === true || this.now() < openUntil) return undefined;
      this.states.set(version, { failures, openUntil, isTried: true });
    }
    return {
      succeeded: () => {
        if (this.states.get(version)?.openUntil !== undefined) this.changed(protocol, -1);
        this.states.delete(version);
      },
      failed: () => this.count(protocol, version),
      ended: () => {
        const state = this.states.get(version);
        if (openUntil !== undefined && state !== undefined) this.states.set(version, { ...state, isTried: false });
      },
    };
  }

  private count(protocol: string, version: string): void {
    const { failures, openUntil } = this.states.get(version) ?? CLOSED;
    if (failures + 1 < FAILURES) {
      this.states.set(version, { failures: failures + 1 });
      return;
    }
    if (openUntil === undefined) this.changed(protocol, 1);
    this.states.set(version, { failures: failures + 1, openUntil: this.now() + OPEN_MS });
  }
}
