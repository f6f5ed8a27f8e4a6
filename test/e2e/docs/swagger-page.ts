import { type Browser, chromium, type Locator, type Page } from 'playwright-core';

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
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('requestfailed', (request) => complaints.push(`${request.url()} failed`));
    await page.goto(`${origin}/docs`);
    await page.locator('.opblock').first().waitFor();
    return new SwaggerPage(page, complaints);
  }

  /** The operationIds of every tag, in the order of the page. */
  async operationsByTag(): Promise<[string, string[]][]> {
    const sections = await this.page.locator('.opblock-tag-section').all();
    return Promise.all(sections.map((section) => operationsOf(section)));
  }

  /** Types a credential into the Authorize dialog. */
  async authorize(credential: string): Promise<void> {
    await this.page.locator('.auth-wrapper .authorize').click();
    const dialog = this.page.locator('.modal-ux');
    await dialog.locator('input').fill(credential);
    await dialog.locator('button.authorize').click();
    await dialog.locator('button.btn-done').click();
  }

  /** Unfolds an operation. */
  async operation(tag: string, operationId: string): Promise<SwaggerOperation> {
    const block = this.page.locator(`#operations-${tag}-${operationId}`);
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

  /** The examples of the documented answers, by status. */
  async documentedAnswers(): Promise<Map<number, unknown>> {
    const rows = await this.block.locator('.responses-table:not(.live-responses-table) tr.response').all();
    const answers = rows.map(async (row) => {
      const status = await row.getAttribute('data-code');
      return [Number(status), JSON.parse((await row.locator('pre').textContent()) ?? '')] as const;
    });
    return new Map(await Promise.all(answers));
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

const EXECUTABLE = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';

/** Keeps Chromium from sending requests of its own, which tests do not need and closed networks do not let through. */
const QUIET = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-gpu',
  '--disable-quic',
  '--disable-sync',
  '--no-first-run',
];

/** Starts the system's Chromium. @throws Error when there is none (`CHROMIUM_PATH` says where it is) */
export function launchBrowser(): Promise<Browser> {
  // Chromium refuses to run its sandbox as root.
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return chromium.launch({ executablePath: EXECUTABLE, args: [...QUIET, ...sandbox] });
}
