import { unitsOf } from '../spend/decimal-amount.js';
import { ReplayTally } from './replay-tally.js';
import type { RecordSpan, ReplayWork } from './replay-work.js';
import type { ReplayedRecord } from './replays.repository.js';

/** Counts the requests that something would be about which records cannot be tried on. */
export class Untried implements ReplayWork {
  readonly tally = new ReplayTally();

  /** @param isAbout whether it would be about a request */
  constructor(
    readonly begin: Date,
    private readonly isAbout: (record: ReplayedRecord) => boolean,
  ) {}

  take(_: RecordSpan, records: readonly ReplayedRecord[]): Promise<void> {
    for (const record of records) {
      if (record.isRefused || !this.isAbout(record)) continue;
      this.tally.add({ id: record.id, keyId: record.keyId, cost: unitsOf(record.costUsd) }, []);
    }
    return Promise.resolve();
  }
}
