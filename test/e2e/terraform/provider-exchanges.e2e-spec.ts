import { sharedApplication } from '../../support/application/shared-application.js';
import { sharedOrganization } from '../../support/application/shared-organization.js';
import { DATA_SOURCES } from './data-sources.js';
import { type Exchange, filled, valueAt } from './exchange.js';
import { LIVES_OF_DESTINATIONS } from './lives-of-destinations.js';
import { LIVES_OF_GUARDRAILS } from './lives-of-guardrails.js';
import { LIVES_OF_KEYS } from './lives-of-keys.js';
import { LIVES_OF_PRIVATE_MODELS } from './lives-of-private-models.js';
import { LIVES_OF_WORKSPACES } from './lives-of-workspaces.js';

const LIVES = {
  ...LIVES_OF_KEYS,
  ...LIVES_OF_GUARDRAILS,
  ...LIVES_OF_WORKSPACES,
  ...LIVES_OF_PRIVATE_MODELS,
  ...LIVES_OF_DESTINATIONS,
  ...DATA_SOURCES,
};

/** What answers have in another form, which the provider knows: credentials, times, canonical slugs, labels that the system gives. */
const ANSWERED_OTHERWISE = new Set(['config', 'expires_at', 'allowed_models', 'content_filter_builtins', 'base_url']);

/*
 * The exchanges of the hosted interface's own Terraform provider (docs/how-to/terraform.md). Each resource is a life whose steps follow one
 * another: what one has saved the next ones name.
 */
describe('the Terraform provider of the hosted interface', () => {
  const app = sharedApplication({ variables: { API_DIALECT: 'public', ANONYMOUS_OPERATIONS: 'getModels' } });
  const organization = sharedOrganization(app);
  const given: Record<string, string> = {};

  beforeAll(async () => {
    const { factory } = app;
    await factory.starterCatalog();
    await factory.enableScim(organization);
    const workspace = await factory.workspace(organization, 'another');
    const mapped = await factory.scimGroup(organization);
    await factory.preset(organization, organization.workspaceId, 'a-preset', [{ of: 'anything' }]);
    Object.assign(given, {
      defaultWorkspace: organization.workspaceId,
      workspace,
      slug: 'another',
      member: await factory.member(organization.organizationId),
      group: await factory.scimGroup(organization),
      mapping: await factory.scimMapping(organization, mapped, workspace),
      keyHash: (await factory.key(organization)).hash,
      preset: 'a-preset',
    });
  });

  describe.each(Object.entries(LIVES))('of the resource %s', (_, life) => {
    const saved: Record<string, string> = {};

    it.each(life.map((exchange: Exchange): [string, number, Exchange] => [exchange.step, exchange.status, exchange]))(
      '%s, with %i',
      async (_step, status, exchange) => {
        const known = { ...given, ...saved };
        const [method, path] = exchange.asks.split(' ') as [string, string];
        const answer = await app.api.send(method, filled(path, known), {
          key: organization.managementKey,
          ...(exchange.json && { json: filled(exchange.json, known) }),
          ...(exchange.headers && { headers: exchange.headers }),
        });

        expect([answer.status, answer.text]).toEqual([status, expect.anything()]);
        const wanted = Object.entries(exchange.has ?? {});
        const isLiteral = (value: unknown): boolean => typeof value !== 'object' || Array.isArray(value);
        expect(wanted.map(([place]) => [place, valueAt(answer.body, place)])).toEqual(
          wanted.map(([place, value]) => [place, isLiteral(value) ? filled(value, known) : value]),
        );
        // What is answered otherwise than it was sent is a change in every later plan.
        for (const [field, value] of Object.entries(filled(exchange.json ?? {}, known))) {
          if (status < 300 && !ANSWERED_OTHERWISE.has(field)) {
            const data = valueAt(answer.body, 'data') as Readonly<Record<string, unknown>> | undefined;
            if (data !== undefined && field in data) expect([field, data[field]]).toEqual([field, value]);
          }
        }
        for (const [name, place] of Object.entries(exchange.saves ?? {})) {
          saved[name] = String(valueAt(answer.body, place));
        }
      },
    );
  });
});
