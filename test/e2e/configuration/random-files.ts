import fc from 'fast-check';

const name = fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme' }).filter((text) => text.trim() !== '');
const slug = fc.stringMatching(/^[a-z][a-z0-9]{1,10}(?:-[a-z0-9]{1,10})?$/);
const maybe = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(value, { nil: undefined });
const dollars = fc.integer({ min: 1, max: 1_000_000 }).map((cents) => cents / 100);
const models = fc.subarray(['gatehouse/echo', 'gatehouse/echo-embedding', 'gatehouse/echo-rerank'], { minLength: 1 });

const budgets = fc
  .uniqueArray(fc.integer({ min: 1, max: 100_000 }), { minLength: 4, maxLength: 4 })
  .map((limits) => limits.sort((one, other) => one - other))
  .map(([daily, weekly, monthly, lifetime]) => ({ daily, weekly, monthly, lifetime }));

const workspace = fc.record(
  {
    slug,
    name,
    description: maybe(name),
    budgets: maybe(budgets),
    include_byok_in_budgets: maybe(fc.boolean()),
    is_response_cache_enabled: maybe(fc.boolean()),
  },
  { requiredKeys: ['slug', 'name'] },
);

const guardrail = fc.record({
  name,
  description: maybe(name),
  allowed_models: maybe(models),
  limit: maybe(dollars),
  enforce_zdr: maybe(fc.boolean()),
  enforcement: maybe(fc.constantFrom('enforce', 'observe')),
  content_filter_builtins: maybe(
    fc.uniqueArray(
      fc.record({
        slug: fc.constantFrom('email', 'phone', 'ssn'),
        action: fc.constantFrom('block', 'redact', 'flag'),
      }),
      { selector: ({ slug: one }) => one, minLength: 1, maxLength: 3 },
    ),
  ),
});

const limit = fc.record({
  name,
  measure: fc.constantFrom('usd', 'tokens', 'requests'),
  amount: fc.integer({ min: 1, max: 1_000 }),
  window: fc.constantFrom('minute', 'daily', 'monthly'),
  group_by: fc.subarray(['user', 'model', 'api_key', 'workspace', 'member']),
  about: fc.subarray(['api_key', 'workspace', 'member', 'user', 'session', 'operation', 'label.team', 'author']),
  isAboutOthers: fc.boolean(),
  hasExceptions: fc.boolean(),
});

const key = fc.record({
  name,
  limit: maybe(dollars),
  limit_reset: maybe(fc.constantFrom('daily', 'weekly', 'monthly')),
  disabled: maybe(fc.boolean()),
});

const inspector = fc.record({
  name,
  mode: maybe(fc.constantFrom('enforce', 'observe')),
  timeout_ms: maybe(fc.integer({ min: 50, max: 30_000 })),
  hasKey: fc.boolean(),
  headers: maybe(fc.uniqueArray(fc.constantFrom('x-one', 'x-two'), { minLength: 1, maxLength: 2 })),
});

const mcpServer = fc.record({
  name: slug,
  enabled: maybe(fc.boolean()),
  follow: maybe(fc.boolean()),
  price_per_call: maybe(dollars),
  tool_prices: maybe(fc.dictionary(slug, dollars, { maxKeys: 2 })),
  hasSecret: fc.boolean(),
  isProvisioned: fc.boolean(),
});

const uniqueNames = <T extends { name: string }>(one: fc.Arbitrary<T>, most: number): fc.Arbitrary<T[]> =>
  fc.uniqueArray(one, { selector: ({ name: called }) => called, maxLength: most });

/** Stands for the address of a member in {@link RANDOM_LISTS}. */
export const MEMBER = 'member@example.com';

/** Lists of files, at random, with references between them, and secrets from `env:SECRET`. */
export const RANDOM_LISTS: fc.Arbitrary<object> = fc
  .record({
    workspaces: fc.uniqueArray(workspace, { selector: ({ slug: one }) => one, maxLength: 2 }),
    inspectors: uniqueNames(inspector, 2),
    mcpServers: uniqueNames(mcpServer, 2),
    guardrails: uniqueNames(guardrail, 4),
    limits: uniqueNames(limit, 3),
    keys: uniqueNames(key, 4),
    place: fc.nat(),
  })
  .map(({ place, workspaces, inspectors, mcpServers, guardrails, limits, keys }) => {
    const slugs = [undefined, ...workspaces.map(({ slug: one }) => one)];
    const in_ = (index: number): object => {
      const chosen = slugs[(place + index) % slugs.length];
      return chosen === undefined ? {} : { workspace: chosen };
    };
    const secret = { env: 'SECRET' };
    const values: ValuesOfKeys = {
      api_key: keys.map((one, index) =>
        index % 2 === 0 ? one.name : { workspace: 'default', name: one.name, ...in_(index) },
      ),
      workspace: ['default', ...workspaces.map(({ slug: one }) => one)],
      member: [MEMBER],
      user: ['customer-7'],
      session: ['session-7'],
      operation: ['completions', 'embeddings'],
      'label.team': ['checkout'],
      author: ['gatehouse'],
      model: ['gatehouse/echo'],
    };
    return {
      workspaces: workspaces.map(defined),
      inspectors: inspectors.map(({ hasKey, headers, ...rest }) => ({
        ...defined(rest),
        url: 'https://guard.example.com',
        ...(hasKey && { api_key: secret }),
        ...(headers && { headers: Object.fromEntries(headers.map((one) => [one, secret])) }),
      })),
      mcp_servers: mcpServers.map(({ hasSecret, isProvisioned, ...rest }) => ({
        ...defined(rest),
        url: 'https://mcp.example.com/mcp',
        ...(hasSecret && { authentication: 'bearer', secret }),
        ...(isProvisioned && { workspaces: ['default', ...workspaces.map(({ slug: one }) => one)] }),
      })),
      keys: keys.map((one, index) => ({ ...defined(one), ...in_(index) })),
      guardrails: guardrails.map(({ limit: limitUsd, ...rest }, index) => ({
        ...defined(rest),
        ...in_(index),
        ...(limitUsd !== undefined && { limit_usd: limitUsd, reset_interval: 'daily' }),
        ...(inspectors[index] && { inspectors: [inspectors[index].name] }),
        ...(mcpServers[index] && { allowed_mcp_tools: [`${mcpServers[index].name}/*`] }),
        ...(keys[index] && { assigned_keys: [keys[index].name] }),
      })),
      limits: limits.map(({ about, isAboutOthers, hasExceptions, ...rest }, index) => ({
        ...rest,
        ...in_(index),
        conditions: about
          .filter((one) => values[one]!.length > 0)
          .map((one) => ({
            key: one,
            ...(isAboutOthers ? { values: '*', excludes: values[one] } : { values: values[one] }),
          })),
        exceptions: hasExceptions ? exceptionsOf(rest.group_by, values) : [],
      })),
    };
  });

/** What stands for the values of keys of limits in a file. */
type ValuesOfKeys = Readonly<Record<string, readonly (string | object)[]>>;

/** As many exceptions as there are different combinations of values with each value at least once; none where a key has no value. */
function exceptionsOf(groupBy: readonly string[], values: ValuesOfKeys): object[] {
  const counts = groupBy.map((key) => values[key]!.length);
  const count = counts.includes(0) ? 0 : Math.max(0, ...counts);
  return Array.from({ length: count }, (_, index) => ({
    values: Object.fromEntries(groupBy.map((key) => [key, values[key]![index % values[key]!.length]])),
    amount: 2_000 + index,
  }));
}

function defined(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
