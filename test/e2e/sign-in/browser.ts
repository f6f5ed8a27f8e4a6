import { request } from 'undici';

/** An answer as a browser has it. */
export interface BrowserAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** Where a redirect leads. */
  readonly location: string | undefined;
}

/** How a browser is told to send a request. */
export interface BrowserRequest {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** The fields of a form. */
  readonly form?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  /** Instead of those that the browser sends by itself; undefined leaves one out. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

/** A browser, as far as signing in goes: it keeps cookies by host, says which page a request comes from, and follows no redirect by itself. */
export class Browser {
  private readonly jars = new Map<string, Map<string, string>>();

  /** The cookies of a host. */
  cookiesOf(origin: string): Map<string, string> {
    const known = this.jars.get(origin) ?? new Map<string, string>();
    this.jars.set(origin, known);
    return known;
  }

  async send(url: string, { method = 'GET', form, json, headers = {} }: BrowserRequest = {}): Promise<BrowserAnswer> {
    const { origin } = new URL(url);
    const cookies = this.cookiesOf(origin);
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const sent: Record<string, string | undefined> = {
      'user-agent': 'test browser',
      'sec-fetch-site': 'same-origin',
      ...(cookie !== '' && { cookie }),
      ...(form !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
      ...(json !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    };
    const answer = await request(url, {
      method,
      headers: Object.fromEntries(
        Object.entries(sent).filter((entry): entry is [string, string] => entry[1] !== undefined),
      ),
      body:
        form === undefined ? (json === undefined ? null : JSON.stringify(json)) : new URLSearchParams(form).toString(),
    });
    for (const line of [answer.headers['set-cookie'] ?? []].flat()) keep(cookies, line);
    const { location } = answer.headers;
    return {
      status: answer.statusCode,
      headers: answer.headers,
      text: await answer.body.text(),
      location: typeof location === 'string' ? new URL(location, url).href : undefined,
    };
  }

  /** Follows redirects to the page that comes after them, or to the first address of which a test says that it is enough. */
  async follow(
    url: string,
    isEnough: (url: string) => boolean = () => false,
  ): Promise<BrowserAnswer & { readonly url: string }> {
    let current = url;
    for (let hops = 0; hops < 20; hops += 1) {
      const answer = await this.send(current, { headers: { 'sec-fetch-site': 'cross-site' } });
      if (answer.location === undefined || isEnough(answer.location))
        return { ...answer, url: answer.location ?? current };
      current = answer.location;
    }
    throw new Error(`too many redirects, the last one to ${current}`);
  }
}

/** Keeps a cookie, or forgets it where it is over. */
function keep(cookies: Map<string, string>, line: string): void {
  const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
  const [name = '', value = ''] = pair.split(/=(.*)/s);
  const expiry = attributes.find((attribute) => /^expires=/i.test(attribute));
  const isOver = expiry !== undefined && new Date(expiry.slice('expires='.length)).getTime() <= Date.now();
  if (isOver) cookies.delete(name);
  else cookies.set(name, value);
}
