import type { Locator } from 'playwright-core';
import { until } from '../../support/time/until.js';
import type { consolePerTest } from './console-browser.js';

/** Fills in every line that can be seen, but what waits to be added to a list. */
async function fill(form: Locator): Promise<void> {
  const folded = form.locator('details:not([open]) > summary');
  while ((await folded.count()) > 0) await folded.first().click();
  for (const input of await form.locator('input:not(.suggest-list input), textarea').all()) {
    const type = (await input.getAttribute('type')) ?? 'text';
    if (!(await input.isEditable()) || ['checkbox', 'file', 'radio'].includes(type)) continue;
    const value = { number: '7', 'datetime-local': '2027-01-31T12:00', password: 'a secret' }[type] ?? 'wrong';
    await input.fill(value);
  }
}

/** What stands in the fields of a form, by their labels. */
function standing(form: Locator): Promise<readonly (readonly [string, string])[]> {
  return form.locator('input:not([type=checkbox]), textarea, select').evaluateAll((inputs) =>
    inputs.map((input) => {
      const { labels, value } = input as unknown as { labels: { textContent: string }[]; value: string };
      return [labels[0]?.textContent ?? '', value] as const;
    }),
  );
}

/** The hints that say nothing beyond the labels of their fields. */
async function repeating(form: Locator): Promise<readonly string[]> {
  const fields = await form.locator('.field:has(> label):has(> .hint)').evaluateAll((elements) =>
    elements.map((element) => {
      const { children } = element as unknown as { children: { tagName: string; textContent: string }[] };
      return [...children].flatMap(({ tagName, textContent }) => (['LABEL', 'P'].includes(tagName) ? textContent : []));
    }),
  );
  return fields.flatMap(([label = '', hint = '']) => {
    const beginning = `The ${label.toLowerCase()}`;
    return hint.startsWith(beginning) && /^( of the \w+)?\.$/.test(hint.slice(beginning.length)) ? [hint] : [];
  });
}

/**
 * Fills a form in, goes to another page and comes back: what was filled in stands there again, but no secret.
 *
 * @param open opens it on its page
 * @param never the labels of what is no password and never kept
 */
export async function expectKept(
  { app, ui: { page } }: ReturnType<typeof consolePerTest>,
  open: () => Promise<Locator>,
  never: readonly string[] = [],
): Promise<void> {
  const form = await open();
  await fill(form);
  expect(await repeating(form)).toEqual([]);
  const before = (await standing(form)).filter(([, value]) => value !== 'a secret');
  expect(before.some(([, value]) => ['wrong', '7'].includes(value))).toBe(true);
  await page.evaluate(`history.pushState(null, '', '${app.origin}/console/models')`);
  await page.getByRole('heading', { name: 'Models', exact: true }).waitFor();
  await page.goBack();
  await open();
  const filledIn = before.filter(([label, value]) => value !== '' && !never.includes(label));
  await until(async () => {
    const after = await standing(form);
    return filledIn.every(([label, value]) => after.some((one) => one[0] === label && one[1] === value));
  });
  const secrets = (await standing(form)).filter(([label, value]) => value === 'a secret' || never.includes(label));
  expect(secrets.filter(([, value]) => value !== '')).toEqual([]);
}
