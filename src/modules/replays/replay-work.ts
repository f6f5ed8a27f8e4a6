import type { ReplayTally } from './replay-tally.js';
import type { ReplayedRecord } from './replays.repository.js';

/** A part of a month in which records lie. */
export interface RecordSpan {
  readonly from: Date;
  readonly to: Date;
}

/** What a replay does with the records that it reads. */
export interface ReplayWork {
  /** From when on records are read: what came before the span of the job counts toward windows only. */
  readonly begin: Date;
  readonly tally: ReplayTally;
  /** Takes records, in the order of their ids. @param span where they lie */
  take(span: RecordSpan, records: readonly ReplayedRecord[]): Promise<void>;
}
