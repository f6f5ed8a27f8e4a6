import type { Browser, Locator, Page } from 'playwright-core';

/** What Swagger UI shows of an answer. */
export interface ShownAnswer<Body> {
  readonly status: number;
  readonly body: Body;
}

/** Swagger UI in a browser, by what a person does there. */
export class SwaggerPage {
  private constructor(
    readonly page: Page,
    /** Errors and warnings of the browser's console, among them violations of the content security policy. */
    readonly complaints: readonly string[],
  ) {}

  /** Opens the page in a browser window that remembers nothing. */
  static async open(browser: Browser, origin: string): Promise<SwaggerPage> {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    const page = await context.newPage();
    // As with all tests, no machine is too slow.
    page.setDefaultTimeout(600_000);
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('requestfailed', (request) => complaints.push(`${request.url()} failed`));
    await page.goto(`${origin}/docs`);
    await page.locator('.opblock-tag').first().waitFor();
    return new SwaggerPage(page, complaints);
  }

  /** The operationIds of every tag, in the order of the page; it unfolds one after the other, as a reader does. */
  async operationsByTag(): Promise<[string, string[]][]> {
    const found: [string, string[]][] = [];
    for (const section of await this.page.locator('.opblock-tag-section').all()) {
      const heading = section.locator('.opblock-tag');
      await heading.click();
      await section.locator('.opblock').first().waitFor();
      found.push(await operationsOf(section));
      await heading.click();
    }
    return found;
  }

  /** Types credentials into the Authorize dialog, each into the field of its kind. */
  async authorize(credentials: Readonly<Record<string, string>>): Promise<void> {
    await this.page.locator('.auth-wrapper .authorize').click();
    const dialog = this.page.locator('.modal-ux');
    for (const [kind, credential] of Object.entries(credentials)) {
      const scheme = dialog.locator('.auth-container', { has: this.page.locator(`h4 code:text-is("${kind}")`) });
      await scheme.locator('input').fill(credential);
      await scheme.locator('button.authorize').click();
    }
    await dialog.locator('button.btn-done').first().click();
  }

  /** Unfolds an operation. */
  async operation(tag: string, operationId: string): Promise<SwaggerOperation> {
    const block = this.page.locator(`#operations-${tag.replaceAll(' ', '_')}-${operationId}`);
    const section = this.page.locator(`.opblock-tag[data-tag="${tag}"]`);
    if ((await section.getAttribute('data-is-open')) === 'false') await section.click();
    await block.locator('.opblock-summary-control').click();
    await block.locator('button.execute').waitFor();
    return new SwaggerOperation(block);
  }

  async close(): Promise<void> {
    await this.page.context().close();
  }
}

/** An operation that is unfolded. */
export class SwaggerOperation {
  constructor(readonly block: Locator) {}

  /** The body that is filled in. */
  async body(): Promise<unknown> {
    return JSON.parse(await this.block.locator('textarea.body-param__text').inputValue());
  }

  /** What is filled in for a parameter. */
  async parameter(name: string): Promise<string> {
    return this.block.locator(`tr[data-param-name="${name}"] input`).inputValue();
  }

  /** What is said of the documented answers, by status. */
  async documentedAnswers(): Promise<Map<number, string>> {
    const rows = this.block.locator('.responses-table:not(.live-responses-table) tr.response');
    // They are drawn together, after what is to be filled in.
    await rows.first().waitFor();
    const answers = (await rows.all()).map(async (row) => {
      const status = await row.getAttribute('data-code');
      return [Number(status), await row.locator('.response-col_description__inner').innerText()] as const;
    });
    return new Map(await Promise.all(answers));
  }

  /** Its height on the page, in pixels. */
  async height(): Promise<number> {
    return (await this.block.boundingBox())!.height;
  }

  /** Presses Execute and reads the answer off the page. */
  async execute<Body>(): Promise<ShownAnswer<Body>> {
    await this.block.locator('button.execute').click();
    const row = this.block.locator('.live-responses-table tr.response');
    const status = await row.locator('.response-col_status').textContent();
    const body = await row.locator('.highlight-code pre').first().textContent();
    return { status: Number.parseInt(status ?? '', 10), body: JSON.parse(body ?? '') as Body };
  }
}

async function operationsOf(section: Locator): Promise<[string, string[]]> {
  const tag = (await section.locator('.opblock-tag').getAttribute('data-tag')) ?? '';
  const blocks = await section.locator('.opblock').all();
  const ids = await Promise.all(blocks.map((block) => block.getAttribute('id')));
  return [tag, ids.map((id) => id?.split('-').at(-1) ?? '')];
}
