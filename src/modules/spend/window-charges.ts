import { firstDayOf, SPEND_INTERVALS } from './spend-interval.js';

/** The windows of a charge that some limit can be about: guardrails, which members hold, have no lifetime budgets. */
const WINDOWS = [
  ...SPEND_INTERVALS.map((interval) => ({ subject: 'workspace', subjectId: 'workspace_id::text', interval })),
  ...SPEND_INTERVALS.filter((interval) => interval !== 'lifetime').map((interval) => ({
    subject: 'member',
    subjectId: 'user_id',
    interval,
  })),
];

const VALUES = WINDOWS.map(
  ({ subject, subjectId, interval }) =>
    `('${subject}', charge.${subjectId}, '${interval}', ${firstDayOf(interval, 'charge.day')})`,
);

/**
 * An INSERT that adds charges to the windows of their workspaces and members, for a statement whose first parameter is the
 * organization. Each window is written once, in the order of their keys, so that two statements never wait for one another.
 *
 * `charge` must be a name for rows with `user_id`, `workspace_id` (null for none), `day`, `amount_usd` and `byok_amount_usd`.
 */
export const CHARGE_WINDOWS = `INSERT INTO spend_windows AS known
      (organization_id, subject, subject_id, "interval", first_day, amount_usd, byok_amount_usd)
    SELECT $1, spent.subject, spent.subject_id, spent."interval", spent.first_day, sum(charge.amount_usd), sum(charge.byok_amount_usd)
    FROM charge CROSS JOIN LATERAL (VALUES ${VALUES.join(', ')}) AS spent (subject, subject_id, "interval", first_day)
    WHERE spent.subject_id IS NOT NULL
    GROUP BY 2, 3, 4, 5 ORDER BY 2, 3, 4, 5
    ON CONFLICT ON CONSTRAINT pk_spend_windows DO UPDATE SET amount_usd = known.amount_usd + excluded.amount_usd,
      byok_amount_usd = known.byok_amount_usd + excluded.byok_amount_usd`;
