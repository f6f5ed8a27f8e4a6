import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { until } from '../../support/time/until.js';
import { consolePerTest } from './console-browser.js';

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

  /** Fills in every line that can be seen, but what waits to be added to a list. */
  const fill = async (form: Locator): Promise<void> => {
    const folded = form.locator('details:not([open]) > summary');
    while ((await folded.count()) > 0) await folded.first().click();
    for (const input of await form.locator('input:not(.suggest-list input), textarea').all()) {
      const type = (await input.getAttribute('type')) ?? 'text';
      if (!(await input.isEditable()) || ['checkbox', 'file', 'radio'].includes(type)) continue;
      const value = { number: '7', 'datetime-local': '2027-01-31T12:00', password: 'a secret' }[type] ?? 'wrong';
      await input.fill(value);
    }
  };

  const standing = (form: Locator): Promise<readonly (readonly [string, string])[]> =>
    form.locator('input:not([type=checkbox]), textarea, select').evaluateAll((inputs) =>
      inputs.map((input) => {
        const { labels, value } = input as unknown as { labels: { textContent: string }[]; value: string };
        return [labels[0]?.textContent ?? '', value] as const;
      }),
    );

  /** The hints that say nothing beyond the labels of their fields. */
  const repeating = async (form: Locator): Promise<readonly string[]> => {
    const fields = await form.locator('.field:has(> label):has(> .hint)').evaluateAll((elements) =>
      elements.map((element) => {
        const { children } = element as unknown as { children: { tagName: string; textContent: string }[] };
        return [...children].flatMap(({ tagName, textContent }) =>
          ['LABEL', 'P'].includes(tagName) ? textContent : [],
        );
      }),
    );
    return fields.flatMap(([label = '', hint = '']) => {
      const beginning = `The ${label.toLowerCase()}`;
      return hint.startsWith(beginning) && /^( of the \w+)?\.$/.test(hint.slice(beginning.length)) ? [hint] : [];
    });
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
      const form = await open(submit);
      await fill(form);
      expect(await repeating(form)).toEqual([]);
      const before = (await standing(form)).filter(([, value]) => value !== 'a secret');
      expect(before.some(([, value]) => ['wrong', '7'].includes(value))).toBe(true);
      await page().evaluate(`history.pushState(null, '', '${context.app.origin}/console/models')`);
      await page().getByRole('heading', { name: 'Models', exact: true }).waitFor();
      await page().goBack();
      await open(submit);
      const never = NEVER_KEPT[submit] ?? [];
      const filledIn = before.filter(([label, value]) => value !== '' && !never.includes(label));
      await until(async () => {
        const after = await standing(form);
        return filledIn.every(([label, value]) => after.some((one) => one[0] === label && one[1] === value));
      });
      const secrets = (await standing(form)).filter(([label, value]) => value === 'a secret' || never.includes(label));
      expect(secrets.filter(([, value]) => value !== '')).toEqual([]);
    },
  );
});
