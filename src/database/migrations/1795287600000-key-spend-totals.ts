import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What each key has spent, summed up as it is spent, so that reading it costs the same however long the key has been in use.
 * Triggers keep the totals of the days in `key_spend`, whoever writes those.
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

/** By their functions, which go with them. */
const FUNCTIONS = ['add_day_to_key_spend_totals', 'take_days_from_key_spend_totals', 'refuse_key_spend_totals_change'];

/** The windows that end with the latest day, by the prefix of their columns, and the first day of the one that a day is in. */
const WINDOWS = [
  { prefix: 'daily', firstDay: (day: string): string => day },
  { prefix: 'weekly', firstDay: (day: string): string => `date_trunc('week', ${day}::timestamp)::date` },
  { prefix: 'monthly', firstDay: (day: string): string => `date_trunc('month', ${day}::timestamp)::date` },
];

/** The columns of amounts. */
const SUMS = ['total', ...WINDOWS.map(({ prefix }) => prefix)].flatMap((prefix) => [
  `${prefix}_usd`,
  `byok_${prefix}_usd`,
]);

/** What a column sums up: a column of `key_spend`, or a variable of that name without its unit. */
function amountOf(column: string): string {
  return column.startsWith('byok_') ? 'byok_amount' : 'amount';
}

/** The sums of days, each under the name of its column. @param latest an expression for the latest day of the key */
function sumsOf(days: string, latest: string): string {
  return SUMS.map((column) => {
    const window = WINDOWS.find(({ prefix }) => column.endsWith(`${prefix}_usd`));
    const filter = window && ` FILTER (WHERE ${days}.day >= ${window.firstDay(latest)})`;
    return `coalesce(sum(${days}.${amountOf(column)}_usd)${filter ?? ''}, 0) AS ${column}`;
  }).join(',\n          ');
}

/** A later window starts anew, the same one goes on, and an earlier one is over and counts in the total alone. */
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

const STATEMENTS = [
  // Nobody writes between the first sums and the triggers that keep them from then on.
  'LOCK TABLE key_spend IN SHARE ROW EXCLUSIVE MODE',
  // A row is written with every charge: room in its page keeps the new version beside the old one, and the index as it is.
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
    SELECT organization_id, key_id, latest_day, ${sumsOf('key_spend', 'latest_day')}
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
  // Once for all days of a statement: a key that is deleted may have thousands of them.
  `CREATE FUNCTION take_days_from_key_spend_totals() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      -- Nobody adds to the totals between reading their latest day and writing them.
      PERFORM 1 FROM key_spend_totals WHERE (organization_id, key_id) IN (SELECT organization_id, key_id FROM deleted)
        ORDER BY organization_id, key_id FOR NO KEY UPDATE;
      UPDATE key_spend_totals AS known SET ${SUMS.map((column) => `${column} = known.${column} - gone.${column}`).join(', ')}
      FROM (
        SELECT organization_id, key_id, ${sumsOf('deleted', 'latest_day')}
        FROM deleted JOIN key_spend_totals AS latest USING (organization_id, key_id) GROUP BY organization_id, key_id
      ) AS gone
      WHERE known.organization_id = gone.organization_id AND known.key_id = gone.key_id;
      RETURN NULL;
    END $$`,
  `CREATE FUNCTION refuse_key_spend_totals_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION 'key_spend_totals follows key_spend: change that';
    END $$`,
  `CREATE TRIGGER add_day_to_totals AFTER INSERT OR UPDATE ON key_spend
    FOR EACH ROW EXECUTE FUNCTION add_day_to_key_spend_totals()`,
  `CREATE TRIGGER take_days_from_totals AFTER DELETE ON key_spend REFERENCING OLD TABLE AS deleted
    FOR EACH STATEMENT EXECUTE FUNCTION take_days_from_key_spend_totals()`,
  // The triggers above, and deleting a key, are at a depth of their own.
  `CREATE TRIGGER refuse_direct_change BEFORE INSERT OR UPDATE OR DELETE ON key_spend_totals
    FOR EACH STATEMENT WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION refuse_key_spend_totals_change()`,
];
