import { forEachOrganization } from './for-each-organization.js';

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
function sumsOfDays(days: string, latest: string): string {
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
function amountsTaken(gone: string): string {
  return SUMS.map((column) => `${column} = known.${column} - ${gone}.${column}`).join(', ');
}

/** What keys have spent: by day, and running totals, so that to read these does not depend on how long a key is in use. */
export const KEY_SPEND = [
  `CREATE TABLE key_spend (
      organization_id text NOT NULL,
      key_id uuid NOT NULL,
      day date NOT NULL,
      amount_usd numeric NOT NULL,
      byok_amount_usd numeric NOT NULL,
      CONSTRAINT pk_key_spend PRIMARY KEY (organization_id, key_id, day),
      CONSTRAINT ck_key_spend_amounts CHECK (amount_usd >= 0 AND byok_amount_usd >= 0),
      CONSTRAINT fk_key_spend_key FOREIGN KEY (organization_id, key_id) REFERENCES api_keys (organization_id, id) ON DELETE CASCADE
    )`,
  // A row is updated with every charge: free space in its page keeps the new row version in the same page, without a new index entry (HOT
  // updates).
  `CREATE TABLE key_spend_totals (
      organization_id text NOT NULL,
      key_id uuid NOT NULL,
      latest_day date NOT NULL,
      ${SUMS.map((column) => `${column} numeric NOT NULL`).join(',\n      ')},
      CONSTRAINT pk_key_spend_totals PRIMARY KEY (organization_id, key_id),
      CONSTRAINT ck_key_spend_totals_amounts CHECK (${SUMS.map((column) => `${column} >= 0`).join(' AND ')}),
      CONSTRAINT fk_key_spend_totals_key FOREIGN KEY (organization_id, key_id) REFERENCES api_keys (organization_id, id) ON DELETE CASCADE
    ) WITH (fillfactor = 50)`,
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
  'CREATE TRIGGER add_day_to_totals AFTER INSERT OR UPDATE ON key_spend FOR EACH ROW EXECUTE FUNCTION add_day_to_key_spend_totals()',
  // Once for each statement: a deleted key may have thousands of days.
  forEachOrganization(
    'take_days_from_key_spend_totals',
    'deleted',
    `keys uuid[];
      days date[];
      amounts numeric[];
      byok_amounts numeric[];`,
    `SELECT array_agg(key_id), array_agg(day), array_agg(amount_usd), array_agg(byok_amount_usd)
        INTO keys, days, amounts, byok_amounts`,
    `-- The lock keeps others from adding to the totals between reading their latest day and writing them.
        PERFORM 1 FROM key_spend_totals WHERE organization_id = organization AND key_id = ANY (keys)
          ORDER BY key_id FOR NO KEY UPDATE;
        UPDATE key_spend_totals AS known SET ${amountsTaken('gone')}
        FROM (
          SELECT latest.key_id, ${sumsOfDays('spent', 'latest_day')}
          FROM unnest(keys, days, amounts, byok_amounts) AS spent (key_id, day, amount_usd, byok_amount_usd)
          JOIN key_spend_totals AS latest USING (key_id)
          WHERE latest.organization_id = organization
          GROUP BY latest.key_id
        ) AS gone
        WHERE known.organization_id = organization AND known.key_id = gone.key_id;`,
  ),
  `CREATE TRIGGER take_days_from_totals AFTER DELETE ON key_spend REFERENCING OLD TABLE AS deleted
      FOR EACH STATEMENT EXECUTE FUNCTION take_days_from_key_spend_totals()`,
  `CREATE FUNCTION refuse_key_spend_totals_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION 'key_spend_totals follows key_spend: change that';
    END $$`,
  // Changes by the triggers above and by the deletion of a key have a greater trigger depth.
  `CREATE TRIGGER refuse_direct_change BEFORE INSERT OR UPDATE OR DELETE ON key_spend_totals
      FOR EACH STATEMENT WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION refuse_key_spend_totals_change()`,
];
