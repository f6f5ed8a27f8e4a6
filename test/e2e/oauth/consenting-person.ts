import type { NewOrganization } from '../../../src/modules/installation/installation.service.js';
import type { TestApplication } from '../../support/application/test-application.js';
import type { Browser, BrowserAnswer } from '../sign-in/browser.js';
import { signedInBrowser } from '../sign-in/signed-in.js';

/** The fields of a form of a page. */
export type PageForm = Record<string, string>;

/** A person in a browser who is signed in, and answers what applications ask. */
export class ConsentingPerson {
  private constructor(
    private readonly app: TestApplication,
    readonly browser: Browser,
  ) {}

  /** Signs a member in with a link. @param userId the administrator by default */
  static async signIn(
    app: TestApplication,
    organization: NewOrganization,
    userId = organization.userId,
  ): Promise<ConsentingPerson> {
    const { organizationId } = organization;
    return new ConsentingPerson(app, await signedInBrowser(app, { organizationId, userId }));
  }

  /** Opens the page. @param query its parameters, or the text behind the `?` */
  open(query: Readonly<Record<string, string>> | string): Promise<BrowserAnswer> {
    const text = typeof query === 'string' ? query : new URLSearchParams(query).toString();
    // From the page of the application.
    return this.browser.send(`${this.app.origin}/auth?${text}`, { headers: { 'sec-fetch-site': 'cross-site' } });
  }

  /** The form of the page that an application leads to. */
  async formOf(query: Readonly<Record<string, string>>): Promise<PageForm> {
    const page = await this.open(query);
    expect({ status: page.status, text: page.text }).toEqual({ status: 200, text: page.text });
    return formIn(page);
  }

  /** Sends a form. @param headers instead of those that the browser sends by itself */
  answer(form: PageForm, headers: Readonly<Record<string, string | undefined>> = {}): Promise<BrowserAnswer> {
    return this.browser.send(`${this.app.origin}/auth`, { method: 'POST', form, headers });
  }

  /** Allows what an application asks for. @param changes what the person enters */
  async allow(query: Readonly<Record<string, string>>, changes: PageForm = {}): Promise<BrowserAnswer> {
    return this.answer({ ...(await this.formOf(query)), ...changes, decision: 'allow' });
  }
}

/** The fields of the form of a page, as a browser would send them. */
export function formIn({ text }: Pick<BrowserAnswer, 'text'>): PageForm {
  const form: PageForm = {};
  for (const [tag] of text.matchAll(/<input [^>]*>/g)) form[attribute(tag, 'name')] = attribute(tag, 'value');
  for (const [, select = '', options = ''] of text.matchAll(/<select ([^>]*)>(.*?)<\/select>/gs)) {
    const all = [...options.matchAll(/<option [^>]*>/g)].map(([option]) => option);
    form[attribute(select, 'name')] = attribute(all.find((option) => option.includes(' selected')) ?? all[0]!, 'value');
  }
  return form;
}

function attribute(tag: string, name: string): string {
  const value = new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1] ?? '';
  return value.replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)));
}

/** Where a page goes on to by itself; undefined for one that stays. */
export function nextOf({ text }: Pick<BrowserAnswer, 'text'>): string | undefined {
  const content = /<meta http-equiv="refresh" content="0;url=([^"]*)"/.exec(text)?.[1];
  return content?.replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)));
}
