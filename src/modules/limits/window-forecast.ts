/** SQL expressions for a window of a limit, and for what was used in it. */
interface UsedWindow {
  /** Of type `numeric`, as the limit. */
  readonly used: string;
  readonly limit: string;
  readonly start: string;
  /** Null for a window without an end, of which nothing is to be expected. */
  readonly end: string;
  readonly now?: string;
  /** The share of the window that has to be over. */
  readonly leastShare?: number;
}

/** What came in the first minutes of a month says nothing of the month. */
const LEAST_SHARE = 0.01;

// The times stand behind an OFFSET, which has them found once where they do not differ by row.
/**
 * A SELECT of what is to be expected of a window by a straight line through its beginning and what is used now
 * (docs/interface/workspaces-and-budgets.md#state): one row with `amount`, what will be used at the end of the window, and `met_at`, when the
 * limit will be met; null if it will not be in this window, and as long as too little of it is over.
 */
export function windowForecast({
  used,
  limit,
  start,
  end,
  now = 'now()',
  leastShare = LEAST_SHARE,
}: UsedWindow): string {
  return `SELECT CASE WHEN passed.is_enough THEN ${used} * passed.length / passed.elapsed END AS amount,
          CASE WHEN passed.is_enough THEN CASE
            WHEN ${used} >= ${limit} THEN ${now}
            WHEN ${used} > 0 AND passed.elapsed * ${limit} < passed.length * ${used}
              THEN ${start} + make_interval(secs => (passed.elapsed * ${limit} / ${used})::double precision)
          END END AS met_at
        FROM (
          SELECT time.elapsed, time.length, time.elapsed >= time.length * ${leastShare} AS is_enough
          FROM (SELECT extract(epoch FROM ${now} - ${start}) AS elapsed, extract(epoch FROM ${end} - ${start}) AS length) AS time OFFSET 0
        ) AS passed`;
}
