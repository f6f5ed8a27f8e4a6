import { ERAS, type Era, guardedKey } from '../e2e/mcp/mcp-gateway.js';
import { filledBefore } from '../support/application/filled-before.js';
import { sharedApplication } from '../support/application/shared-application.js';
import { sharedOrganization } from '../support/application/shared-organization.js';
import { approveAll, newMcpServer } from '../support/resources/mcp-servers.js';
import { type Revision, scenariosOf, suiteRun } from './conformance-suite.js';
import { EXPECTED_DIRECTLY, EXPECTED_THROUGH_GATEWAY } from './expected-failures.js';
import { startKeyProxy } from './key-proxy.js';
import { startReferenceServer } from './reference-server.js';
import { itNamesScenarios, type Judged, surprisesOf } from './surprises.js';

/** The revisions of the suite, and the kind of each. */
const REVISIONS: readonly (readonly [Revision, Era])[] = [
  ['2025-11-25', 'legacy'],
  ['2026-07-28', 'modern'],
];

type Run = ReturnType<typeof suiteRun>;

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
      const again = (scenario?: string): Run => suiteRun(servers[eraOfRevision].url, revision, scenario);
      return { again, run: await again() };
    });

    describe('against the reference server', () => {
      const expected = EXPECTED_DIRECTLY[revision];

      it.each(scenariosOf(revision))('passes %s', async (scenario) => {
        const found = await surprisesOf(direct, scenario, expected, (checks) => [...checks.keys()]);
        expect(found).toEqual({ failing: [], passing: [] });
      });

      itNamesScenarios(scenariosOf(revision), expected);
    });

    describe.each(ERAS)('through the gateway, with a server of the %s kind', (era) => {
      const expected = EXPECTED_THROUGH_GATEWAY[revision][era];
      const proxy = filledBefore(beforeAll, () => startKeyProxy(`${app.origin}/api/v1/mcp/${era}`, key.plaintext));
      const through = filledBefore<Judged>(beforeAll, async () => {
        const again = (scenario?: string): Run => suiteRun(proxy.url, revision, scenario);
        return { again, run: await again() };
      });
      afterAll(() => proxy.stop());

      it.each(scenariosOf(revision))('passes what the server itself passes of %s', async (scenario) => {
        const passed = [...direct.run.get(scenario)!.values()].filter(({ status }) => status === 'SUCCESS');
        const found = await surprisesOf(through, scenario, expected, () => passed.map(({ id }) => id));
        expect(found).toEqual({ failing: [], passing: [] });
      });

      itNamesScenarios(scenariosOf(revision), expected);
    });
  });
});
