import type { ReplayJobEntity } from './entities/replay-job.entity.js';
import type { ReplayTally } from './replay-tally.js';
import type { ReplayedRecord } from './replays.repository.js';

/** What says which records a replay is about. */
export type ReplayedSpan = Pick<ReplayJobEntity, 'organizationId' | 'id' | 'from' | 'sample'>;

/** A span in parts of one calendar month each, in UTC, as records are partitioned. */
export function monthsOf({ from, to }: RecordSpan): RecordSpan[] {
  const parts: RecordSpan[] = [];
  let begin = from;
  while (begin < to) {
    const next = new Date(Date.UTC(begin.getUTCFullYear(), begin.getUTCMonth() + 1, 1));
    const end = next < to ? next : to;
    parts.push({ from: begin, to: end });
    begin = end;
  }
  return parts;
}

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
