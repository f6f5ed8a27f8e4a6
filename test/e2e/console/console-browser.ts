import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Browser, Locator, Page, Request } from 'playwright-core';
import type { NewOrganization } from '../../../src/modules/installation/installation.service.js';
import { COMMAND_LINE } from '../../../src/modules/audit/audit-trail.js';
import { SignInLinksService } from '../../../src/modules/sign-in/links/sign-in-links.service.js';
import { TestApplication } from '../../support/application/test-application.js';
import { launchBrowser } from '../../support/browser/launch-browser.js';

/** The rules of WCAG 2.2 AA, and what else axe finds wrong for everybody. */
const AXE_TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

const AXE = readFileSync(createRequire(`${process.cwd()}/package.json`).resolve('axe-core/axe.min.js'), 'utf8');

/** The path of an operation that the page calls, as `/keys`; undefined of another request. */
function pathOf(request: Request): string | undefined {
  return /^\/console\/api\/v1(\/.*)$/.exec(new URL(request.url()).pathname)?.[1];
}

/** Whether a request is one of a person, and none that a page reads by: pages read analytics with a POST. */
function isChange(request: Request): boolean {
  return request.method() !== 'GET' && ![undefined, '/analytics/query'].includes(pathOf(request));
}

/** The console in a browser, by what a person does there. */
export class ConsoleBrowser {
  private constructor(
    readonly page: Page,
    /** Errors and warnings of the browser's console, among them violations of the content security policy. */
    readonly complaints: string[],
    /** The operations that the page has called since its address was opened, as `GET /keys`. */
    private readonly calls: string[],
    private readonly origin: string,
  ) {}

  /** Signs in with a link, in a browser window that remembers nothing. @param width of the window in pixels */
  static async open(
    browser: Browser,
    app: TestApplication,
    organization: NewOrganization,
    width = 1280,
  ): Promise<ConsoleBrowser> {
    const context = await browser.newContext({
      ...{ viewport: { width, height: 900 }, locale: 'en-US', timezoneId: 'UTC' },
      // Nothing is seen half faded in.
      reducedMotion: 'reduce',
    });
    const page = await context.newPage();
    // As with all tests, no machine is too slow.
    page.setDefaultTimeout(15_000);
    const complaints: string[] = [];
    const calls: string[] = [];
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(`${message.text()} ${message.location().url}`);
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('request', (request) => {
      const path = pathOf(request);
      if (path !== undefined) calls.push(`${request.method()} ${path}`);
    });
    const { organizationId, userId } = organization;
    await page.goto(
      app.origin + (await app.application.get(SignInLinksService).create(COMMAND_LINE, organizationId, userId)),
    );
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('navigation', { name: 'Pages' }).waitFor();
    return new ConsoleBrowser(page, complaints, calls, app.origin);
  }

  /** Opens an address of the console. @param path with its query, after `/console` */
  async go(path: string): Promise<void> {
    await this.leave();
    this.calls.length = 0;
    await this.page.goto(`${this.origin}/console${path}`);
    await this.page.locator('h1').waitFor();
  }

  /** Leaves the page, which asks for nothing more then: before what would change its requests, as routes and a stopped clock do. */
  async leave(): Promise<void> {
    await this.page.goto('about:blank');
  }

  /**
   * What the page has called since its address was opened, once it calls nothing more, in the order of letters: `GET /keys`. The operation
   * that says who is signed in is left out.
   */
  async calledOperations(): Promise<readonly string[]> {
    await this.page.waitForLoadState('networkidle');
    return this.calls.filter((call) => call !== 'GET /session').toSorted();
  }

  /** Presses a control that changes or sends something, and waits until the interface has answered that. */
  async press(control: Locator): Promise<void> {
    const [request] = await Promise.all([this.page.waitForRequest(isChange), control.click()]);
    await (await request.response())!.finished();
  }

  /** Saves the form of a page, and waits until it shows what is there then. @param says what the page says of it */
  async save(says: string): Promise<void> {
    const button = this.page.getByRole('button', { name: 'Save', exact: true });
    await this.press(button);
    await this.page.getByRole('status').getByText(says).waitFor({ state: 'attached' });
    // It is called otherwise until the page has been read anew: what is filled in earlier would be lost.
    await button.waitFor();
  }

  /** What axe finds wrong with the page, once it is not busy, as a rule and the elements that break it. */
  async barriers(): Promise<readonly string[]> {
    // What is read anew is paler until it is there.
    await this.page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
    await this.page.evaluate(AXE);
    const results = await this.page.evaluate<AxeResults>(
      `axe.run(document, { runOnly: ${JSON.stringify(AXE_TAGS)}, resultTypes: ['violations'] })`,
    );
    return results.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  }

  /** Whether the page is wider than its window, so that one has to scroll to both sides to read it. */
  async overflows(): Promise<boolean> {
    // What measures itself, as charts do, has another width a frame after the window has.
    await this.page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    return this.page.evaluate<boolean>('document.documentElement.scrollWidth > document.documentElement.clientWidth');
  }

  async close(): Promise<void> {
    await this.page.context().close();
  }
}

/**
 * The service and a browser for the tests of a describe block, and an organization that is signed in for each of them.
 *
 * @param variables of the service
 */
export function consolePerTest(variables: Readonly<Record<string, string>> = {}): {
  readonly app: TestApplication;
  readonly organization: NewOrganization;
  readonly browser: Browser;
  readonly ui: ConsoleBrowser;
} {
  const context = {} as { app: TestApplication; organization: NewOrganization; browser: Browser; ui: ConsoleBrowser };
  beforeAll(async () => {
    // First: without a browser nothing is left open that would keep the tests from ending.
    context.browser = await launchBrowser();
    context.app = await TestApplication.start({ variables });
    await context.app.factory.starterCatalog();
  });
  beforeEach(async () => {
    context.organization = await context.app.factory.organization();
    context.ui = await ConsoleBrowser.open(context.browser, context.app, context.organization);
  });
  afterEach(async () => {
    await context.ui.close();
    // Whatever a test is about, no page breaks its own policy.
    expect(context.ui.complaints).toEqual([]);
  });
  afterAll(async () => {
    await context.browser.close();
    await context.app.stop();
  });
  return context;
}
