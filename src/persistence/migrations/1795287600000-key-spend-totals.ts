import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Adds running totals of the spend of each key, so that the cost of reading them does not depend on how long the key has
 * been in use. Triggers update the totals on every change of `key_spend`.
 */
export class KeySpendTotals1795287600000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const name of FUNCTIONS) await runner.query(`DROP FUNCTION ${name} CASCADE`);
    await runner.query('DROP TABLE key_spend_totals');
  }
}

/** Dropping a function also drops its triggers. */
const FUNCTIONS = ['add_day_to_key_spend_totals', 'take_days_from_key_spend_totals', 'refuse_key_spend_totals_change'];

/**
 * The windows that end with the latest day: the prefix of their columns, and an expression for the first day of the window
 * of a day.
 */
const WINDOWS = [
  { prefix: 'daily', firstDay: (day: string): string => day },
  { prefix: 'weekly', firstDay: (day: string): string => `date_trunc('week', ${day}::timestamp)::date` },
  { prefix: 'monthly', firstDay: (day: string): string => `date_trunc('month', ${day}::timestamp)::date` },
];

/** The columns with amounts. */
const SUMS = ['total', ...WINDOWS.map(({ prefix }) => prefix)].flatMap((prefix) => [
  `${prefix}_usd`,
  `byok_${prefix}_usd`,
]);

/** The amount that a column sums up, without the unit: the name of a column of `key_spend` or of a variable. */
function amountOf(column: string): string {
  return column.startsWith('byok_') ? 'byok_amount' : 'amount';
}

/** The sums of days, each under the name of its column. @param latest an expression for the latest day of the key */
export function sumsOfDays(days: string, latest: string): string {
  return SUMS.map((column) => {
    const window = WINDOWS.find(({ prefix }) => column.endsWith(`${prefix}_usd`));
    const filter = window && ` FILTER (WHERE ${days}.day >= ${window.firstDay(latest)})`;
    return `coalesce(sum(${days}.${amountOf(column)}_usd)${filter ?? ''}, 0) AS ${column}`;
  }).join(',\n          ');
}

/**
 * A later window starts from zero, the current one continues, and an amount of an earlier window counts toward the total
 * only.
 */
const ADDED = [
  'total_usd = known.total_usd + excluded.total_usd',
  'byok_total_usd = known.byok_total_usd + excluded.byok_total_usd',
  ...WINDOWS.flatMap(({ prefix, firstDay }) =>
    [`${prefix}_usd`, `byok_${prefix}_usd`].map((column) => {
      const [added, latest] = [firstDay('excluded.latest_day'), firstDay('known.latest_day')];
      return `${column} = CASE WHEN ${added} > ${latest} THEN excluded.${column}
          WHEN ${added} = ${latest} THEN known.${column} + excluded.${column} ELSE known.${column} END`;
    }),
  ),
];

/** Every amount less what is taken from it. @param gone has the amounts that are taken */
export function amountsTaken(gone: string): string {
  return SUMS.map((column) => `${column} = known.${column} - ${gone}.${column}`).join(', ');
}

/** Runs once per statement: a deleted key may have thousands of days. */
export const TAKE_DAYS_FROM_TOTALS = `CREATE FUNCTION take_days_from_key_spend_totals() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      -- Nobody adds to the totals between reading their latest day and writing them.
      PERFORM 1 FROM key_spend_totals WHERE (organization_id, key_id) IN (SELECT organization_id, key_id FROM deleted)
        ORDER BY organization_id, key_id FOR NO KEY UPDATE;
      UPDATE key_spend_totals AS known SET ${amountsTaken('gone')}
      FROM (
        SELECT organization_id, key_id, ${sumsOfDays('deleted', 'latest_day')}
        FROM deleted JOIN key_spend_totals AS latest USING (organization_id, key_id) GROUP BY organization_id, key_id
      ) AS gone
      WHERE known.organization_id = gone.organization_id AND known.key_id = gone.key_id;
      RETURN NULL;
    END $$`;

const STATEMENTS = [
  // Blocks writes between the initial sums and the creation of the triggers that maintain them.
  'LOCK TABLE key_spend IN SHARE ROW EXCLUSIVE MODE',
  // A row is updated with every charge: free space in its page keeps the new row version in the same page, without a new
  // index entry (HOT updates).
  `CREATE TABLE key_spend_totals (
      organization_id text NOT NULL,
      key_id uuid NOT NULL,
      latest_day date NOT NULL,
      ${SUMS.map((column) => `${column} numeric NOT NULL`).join(',\n      ')},
      CONSTRAINT pk_key_spend_totals PRIMARY KEY (organization_id, key_id),
      CONSTRAINT ck_key_spend_totals_amounts CHECK (${SUMS.map((column) => `${column} >= 0`).join(' AND ')}),
      CONSTRAINT fk_key_spend_totals_key
        FOREIGN KEY (organization_id, key_id) REFERENCES api_keys (organization_id, id) ON DELETE CASCADE
    ) WITH (fillfactor = 50)`,
  `INSERT INTO key_spend_totals (organization_id, key_id, latest_day, ${SUMS.join(', ')})
    SELECT organization_id, key_id, latest_day, ${sumsOfDays('key_spend', 'latest_day')}
    FROM key_spend JOIN (
      SELECT organization_id, key_id, max(day) AS latest_day FROM key_spend GROUP BY organization_id, key_id
    ) AS latest USING (organization_id, key_id)
    GROUP BY organization_id, key_id, latest_day`,

  `CREATE FUNCTION add_day_to_key_spend_totals() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      amount numeric := NEW.amount_usd;
      byok_amount numeric := NEW.byok_amount_usd;
    BEGIN
      IF TG_OP = 'UPDATE' THEN
        IF (NEW.organization_id, NEW.key_id, NEW.day) <> (OLD.organization_id, OLD.key_id, OLD.day) THEN
          RAISE EXCEPTION 'a row of key_spend keeps its key and its day: delete it and insert another one';
        END IF;
        amount := amount - OLD.amount_usd;
        byok_amount := byok_amount - OLD.byok_amount_usd;
      END IF;
      INSERT INTO key_spend_totals AS known (organization_id, key_id, latest_day, ${SUMS.join(', ')})
      VALUES (NEW.organization_id, NEW.key_id, NEW.day, ${SUMS.map(amountOf).join(', ')})
      ON CONFLICT ON CONSTRAINT pk_key_spend_totals DO UPDATE SET latest_day = greatest(known.latest_day, excluded.latest_day),
        ${ADDED.join(',\n        ')};
      RETURN NULL;
    END $$`,
  TAKE_DAYS_FROM_TOTALS,
  `CREATE FUNCTION refuse_key_spend_totals_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION 'key_spend_totals follows key_spend: change that';
    END $$`,
  `CREATE TRIGGER add_day_to_totals AFTER INSERT OR UPDATE ON key_spend
    FOR EACH ROW EXECUTE FUNCTION add_day_to_key_spend_totals()`,
  `CREATE TRIGGER take_days_from_totals AFTER DELETE ON key_spend REFERENCING OLD TABLE AS deleted
    FOR EACH STATEMENT EXECUTE FUNCTION take_days_from_key_spend_totals()`,
  // Changes by the triggers above and by the deletion of a key have a greater trigger depth.
  `CREATE TRIGGER refuse_direct_change BEFORE INSERT OR UPDATE OR DELETE ON key_spend_totals
    FOR EACH STATEMENT WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION refuse_key_spend_totals_change()`,
];
