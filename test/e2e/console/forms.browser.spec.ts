import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { consolePerTest } from './console-browser.js';
import { expectKept } from './filled-forms.js';

const PAGES = path.join(process.cwd(), 'packages', 'console', 'src', 'pages');

/** Where each form is that makes something, by the word on its button, and the button that opens it where it is no page. */
const FORMS: Readonly<Record<string, readonly [path: string, opener?: string]>> = {
  'Create the alert': ['/alerts/new'],
  'Set the budget': ['/budgets', 'Set a budget'],
  'Create the destination': ['/destinations/new'],
  'Add the issuer': ['/settings/federation', 'Add an issuer'],
  'Add the policy': ['/settings/federation/new'],
  'Create the guardrail': ['/guardrails/new'],
  'Create the inspector': ['/inspectors/new'],
  'Create the limit': ['/limits', 'Create a limit'],
  'Add the server': ['/mcp-servers/new'],
  'Connect the provider': ['/overview', 'Connect a provider'],
  'Add the model': ['/models/own/new'],
  'Add the member': ['/members', 'Add a member'],
  'Create the preset': ['/presets/new'],
  'Add the key': ['/providers/keys/new'],
  'Create the key': ['/keys', 'Create a key'],
  'Add the identity provider': ['/settings/sign-in', 'Add an identity provider'],
  'Create the workspace': ['/workspaces/new'],
};

/** Forms of an object that is there already, or of one that needs another; the tests of their pages are about them. */
const OF_OBJECTS = [
  'Add the members',
  'Create the exception',
  'Create the token',
  'Make a new secret',
  'Map the group',
  'Save',
  'Show the connections',
  'Transfer the key',
  'Transfer the keys',
];

/** Lines of forms that are never kept although they are no passwords: addresses and headers may have secrets in them. */
const NEVER_KEPT: Readonly<Record<string, readonly string[]>> = {
  'Create the destination': ['Address that receives traces', 'Further headers'],
};

describe('the forms of the console', () => {
  const context = consolePerTest();
  const page = () => context.ui.page;

  const open = async (submit: string): Promise<Locator> => {
    const [, opener] = FORMS[submit]!;
    if (opener !== undefined) await page().getByRole('button', { name: opener, exact: true }).first().click();
    const form = page().locator('form', { has: page().getByRole('button', { name: submit, exact: true }) });
    await form.waitFor();
    return form;
  };

  it('are all known to these tests', () => {
    const sources = readdirSync(PAGES, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.tsx'))
      .map((file) => readFileSync(path.join(PAGES, file), 'utf8'));
    const opened = sources.flatMap((text) => text.match(/<(?:FormDialog|PageForm)\b[^]*?\n? *>/g) ?? []);
    const submits = opened.flatMap((text) =>
      text.includes('isDangerous') ? [] : [...text.matchAll(/submit="([^"]+)"/g)].map(([, submit]) => submit!),
    );
    expect([...new Set(submits)].sort()).toEqual([...Object.keys(FORMS), ...OF_OBJECTS].sort());
  });

  it.each(Object.keys(FORMS))(
    '%s: repeats no label in a hint, and has what was filled in again after another page, but no secret',
    async (submit) => {
      const [place] = FORMS[submit]!;
      await context.ui.go(place);
      await expectKept(context, () => open(submit), NEVER_KEPT[submit]);
    },
  );
});
