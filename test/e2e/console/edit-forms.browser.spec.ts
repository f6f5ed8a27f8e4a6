import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import type { NewOrganization } from '../../../src/modules/installation/installation.service.js';
import type { TestApplication } from '../../support/application/test-application.js';
import { newAlert } from '../../support/resources/alerts.js';
import { newDestination } from '../../support/resources/destinations.js';
import { newIssuer, newPolicy } from '../../support/resources/federation.js';
import { newInspector } from '../../support/resources/inspectors.js';
import { newLimit } from '../../support/resources/limits.js';
import { newMcpServer } from '../../support/resources/mcp-servers.js';
import { newPrivateEndpoint, newPrivateProvider } from '../../support/resources/private-models.js';
import { newProviderKey } from '../../support/resources/provider-keys.js';
import { newSignInConnection } from '../../support/resources/sign-in.js';
import { consolePerTest } from './console-browser.js';
import { expectKept } from './filled-forms.js';

const PAGES = path.join(process.cwd(), 'packages', 'console', 'src', 'pages');

/** How the object of a form is made, and where the form is. */
interface Edited {
  /** @returns the path of the page */
  readonly make: (app: TestApplication, organization: NewOrganization) => Promise<string>;
  /** The button that opens the form, where it is a dialog. */
  readonly opener?: RegExp;
  /** Lines that are never kept, because they may have secrets in them. */
  readonly never?: readonly string[];
}

/** Each form that changes an object, by its source. */
const EDITED: Readonly<Record<string, Edited>> = {
  'alerts/alert.tsx': { make: async (...of) => `/alerts/${await newAlert(...of)}` },
  'destinations/destination.tsx': {
    make: async (...of) => `/destinations/${(await newDestination(...of)).id}`,
    never: ['Address that receives traces', 'Further headers'],
  },
  'federation/issuers.tsx': {
    make: async (...of) => (await newIssuer(...of), '/settings/federation'),
    opener: /^Edit Issuer$/,
  },
  'federation/policy.tsx': { make: async (...of) => `/settings/federation/${await newPolicy(...of)}` },
  'guardrails/guardrail.tsx': {
    make: async (app, organization) => `/guardrails/${(await app.factory.guardrail(organization)).id}`,
  },
  'inspectors/inspector.tsx': { make: async (...of) => `/inspectors/${await newInspector(...of)}` },
  'keys/key.tsx': {
    make: async (app, organization) => `/keys/${(await app.factory.key(organization)).hash}`,
    opener: /^Edit$/,
  },
  'limits/limit.tsx': { make: async (...of) => `/limits/${await newLimit(...of)}`, opener: /^Edit$/ },
  'mcp-servers/mcp-server.tsx': { make: async (...of) => `/mcp-servers/${await newMcpServer(...of)}` },
  'own-models/endpoint.tsx': {
    make: async (...of) =>
      `/models/own/${(await newPrivateEndpoint(...of, (await newPrivateProvider(...of)).slug)).id}`,
  },
  'own-models/own-provider.tsx': {
    make: async (...of) => (await newPrivateProvider(...of), '/models/own'),
    opener: /^Change /,
  },
  'people/member.tsx': {
    make: async (app, { organizationId }) => `/members/${await app.factory.member(organizationId)}`,
    opener: /^Edit$/,
  },
  'presets/preset.tsx': {
    make: async (app, { managementKey: key, workspaceId }) => {
      const json = { model: 'gatehouse/echo', messages: [{ role: 'system', content: 'Be brief.' }] };
      await app.api.post(`/presets/brief/chat/completions?workspace_id=${workspaceId}`, { key, json });
      return `/presets/${workspaceId}/brief`;
    },
  },
  'providers/own-key.tsx': { make: async (...of) => `/providers/keys/${(await newProviderKey(...of)).id}` },
  'settings/management-key.tsx': {
    make: async (app, { managementKey: key }) => {
      const { body } = await app.api.get<{ data: { hash: string }[] }>('/management-keys', { key });
      return `/settings/management-keys/${body.data[0]!.hash}`;
    },
    opener: /^Restrict$/,
  },
  'settings/sign-in-connection.tsx': {
    make: async (...of) => `/settings/sign-in/${await newSignInConnection(...of)}`,
    opener: /^Edit$/,
  },
  'workspaces/workspace.tsx': { make: (_, { workspaceId }) => Promise.resolve(`/workspaces/${workspaceId}`) },
};

describe('the forms of the console that change an object', () => {
  const context = consolePerTest({ ALLOW_PRIVATE_DESTINATIONS: 'true', ALLOW_PRIVATE_UPSTREAMS: 'true' });
  const page = () => context.ui.page;
  const button = (name: string | RegExp) => page().getByRole('button', { name, exact: true });

  /** Opens a form that has a button. */
  const opened = async (submit: RegExp, opener?: RegExp): Promise<Locator> => {
    if (opener !== undefined) await button(opener).first().click();
    const form = page().locator('form', { has: page().getByRole('button', { name: submit }) });
    await form.waitFor();
    return form;
  };

  it('are all known to these tests', () => {
    const files = readdirSync(PAGES, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.tsx'));
    const saving = files.filter((file) => /\bsubmit=.*["']Save/.test(readFileSync(path.join(PAGES, file), 'utf8')));
    expect(saving.sort()).toEqual(Object.keys(EDITED).sort());
  });

  it.each(Object.keys(EDITED))('%s: has what was filled in again after another page, but no secret', async (file) => {
    const { make, opener, never } = EDITED[file]!;
    await context.ui.go(await make(context.app, context.organization));
    await expectKept(context, () => opened(/^Save/, opener), never);
  });

  it('have the conditions, values and members again that a button has added', async () => {
    const leaveAndReturn = async (): Promise<void> => {
      await page().evaluate(`history.pushState(null, '', '${context.app.origin}/console/models')`);
      await page().getByRole('heading', { name: 'Models', exact: true }).waitFor();
      await page().goBack();
    };
    await context.ui.go(`/limits/${await newLimit(context.app, context.organization)}`);
    const form = await opened(/^Save$/, /^Edit$/);
    for (const value of ['first', 'second']) {
      await button('Add a condition').click();
      const condition = form.locator('fieldset').last();
      await condition.getByLabel('What is compared').selectOption({ label: 'Session' });
      await condition.getByRole('textbox', { name: 'Is one of' }).fill(value);
    }
    await leaveAndReturn();
    await opened(/^Save$/, /^Edit$/);
    await form.getByText('What you had filled in before is here again.').waitFor();
    const values = form.getByRole('textbox', { name: 'Is one of' });
    expect(await Promise.all([0, 1].map((at) => values.nth(at).inputValue()))).toEqual(['first', 'second']);
    await button('Cancel').click();
    await opened(/^Save$/, /^Edit$/);
    expect(await values.count()).toBe(0);

    const member = await context.app.factory.member(context.organization.organizationId);
    await context.ui.go(`/workspaces/${context.organization.workspaceId}`);
    await button('Add members').click();
    await page().getByRole('combobox', { name: 'Members' }).fill(member);
    await page().keyboard.press('Enter');
    await leaveAndReturn();
    await button('Add members').click();
    expect(await page().getByRole('dialog').getByRole('listitem').count()).toBe(1);
  });
});
