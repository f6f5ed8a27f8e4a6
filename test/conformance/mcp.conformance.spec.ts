import { ERAS, type Era, guardedKey } from '../e2e/mcp/mcp-gateway.js';
import { filledBefore } from '../support/application/filled-before.js';
import { sharedApplication } from '../support/application/shared-application.js';
import { sharedOrganization } from '../support/application/shared-organization.js';
import { approveAll, newMcpServer } from '../support/resources/mcp-servers.js';
import { type Check, type Checks, type Revision, scenariosOf, suiteRun } from './conformance-suite.js';
import { EXPECTED_DIRECTLY, EXPECTED_THROUGH_GATEWAY, type ExpectedFailures } from './expected-failures.js';
import { startKeyProxy } from './key-proxy.js';
import { startReferenceServer } from './reference-server.js';

/** The revisions of the suite, and the kind of each. */
const REVISIONS: readonly (readonly [Revision, Era])[] = [
  ['2025-11-25', 'legacy'],
  ['2026-07-28', 'modern'],
];

/** What the suite has found at an address. */
interface Judged {
  readonly url: string;
  readonly run: ReadonlyMap<string, Checks>;
}

describe('the conformance suite of MCP', () => {
  const app = sharedApplication({ variables: { ALLOW_PRIVATE_DESTINATIONS: 'true' } });
  const organization = sharedOrganization(app);
  const servers = filledBefore(beforeAll, async () => ({
    legacy: await startReferenceServer('legacy'),
    modern: await startReferenceServer('modern'),
  }));
  const key = filledBefore(beforeAll, async () => {
    for (const era of ERAS) {
      const fields = { name: era, url: servers[era].url, authentication: 'none', secret: null };
      await approveAll(app, organization, await newMcpServer(app, organization, fields));
    }
    return guardedKey(app, organization, { allowed_mcp_tools: ERAS.map((era) => `${era}/*`) });
  });
  afterAll(() => Promise.all(ERAS.map((era) => servers[era].stop())));

  describe.each(REVISIONS)('of revision %s', (revision, eraOfRevision) => {
    const direct = filledBefore<Judged>(beforeAll, async () => {
      const { url } = servers[eraOfRevision];
      return { url, run: await suiteRun(url, revision) };
    });

    describe('against the reference server', () => {
      const expected = EXPECTED_DIRECTLY[revision];

      it.each(scenariosOf(revision))('passes %s', async (scenario) => {
        const found = await surprisesOf(direct, revision, scenario, expected, (checks) => [...checks.keys()]);
        expect(found).toEqual({ failing: [], passing: [] });
      });

      itNamesScenarios(revision, expected);
    });

    describe.each(ERAS)('through the gateway, with a server of the %s kind', (era) => {
      const expected = EXPECTED_THROUGH_GATEWAY[revision][era];
      const proxy = filledBefore(beforeAll, () => startKeyProxy(`${app.origin}/api/v1/mcp/${era}`, key.plaintext));
      const through = filledBefore<Judged>(beforeAll, async () => ({
        url: proxy.url,
        run: await suiteRun(proxy.url, revision),
      }));
      afterAll(() => proxy.stop());

      it.each(scenariosOf(revision))('passes what the server itself passes of %s', async (scenario) => {
        const passed = [...direct.run.get(scenario)!.values()].filter(({ status }) => status === 'SUCCESS');
        const found = await surprisesOf(through, revision, scenario, expected, () => passed.map(({ id }) => id));
        expect(found).toEqual({ failing: [], passing: [] });
      });

      itNamesScenarios(revision, expected);
    });
  });
});

/** What is not as it is expected: checks that fail, with why, and ones that pass and are expected to fail. */
interface Surprises {
  readonly failing: readonly string[];
  readonly passing: readonly string[];
}

/**
 * Compares the checks of a scenario with what is expected of them. Where one fails, it is run once more by itself: the suite gives some answers
 * half a second, which a busy machine may not keep.
 *
 * @param required which of them have to pass, unless they are expected to fail
 */
async function surprisesOf(
  { url, run }: Judged,
  revision: Revision,
  scenario: string,
  expected: ExpectedFailures,
  required: (checks: Checks) => readonly string[],
): Promise<Surprises> {
  const allowed = checksOf(expected, scenario);
  const surprisesIn = (checks: Checks): Surprises => {
    const ids = required(checks);
    const failing = ids.filter((id) => !isPassed(checks.get(id)) && !allowed.includes(id));
    return {
      failing: failing.map(
        (id) => `${id} ${checks.get(id)?.status ?? 'was not made'}: ${checks.get(id)?.errorMessage ?? ''}`,
      ),
      passing: allowed.filter((id) => !ids.includes(id) || isPassed(checks.get(id))),
    };
  };
  const found = surprisesIn(run.get(scenario)!);
  if (found.failing.length === 0) return found;
  return surprisesIn((await suiteRun(url, revision, scenario)).get(scenario)!);
}

/** Whether a check has passed; one that was skipped, or not made, has not. */
function isPassed(check: Check | undefined): boolean {
  return check?.status === 'SUCCESS' || check?.status === 'INFO';
}

/** The checks of a scenario that are expected to fail. */
function checksOf(expected: ExpectedFailures, scenario: string): readonly string[] {
  const names = Object.values(expected).flat();
  return names.filter((name) => name.startsWith(`${scenario}:`)).map((name) => name.slice(scenario.length + 1));
}

function itNamesScenarios(revision: Revision, expected: ExpectedFailures): void {
  it('is expected to fail nothing but checks of scenarios that there are', () => {
    const scenarios = new Set(scenariosOf(revision));
    const names = Object.values(expected).flat();
    expect(names.filter((name) => !scenarios.has(name.split(':', 1)[0]!))).toEqual([]);
  });
}
