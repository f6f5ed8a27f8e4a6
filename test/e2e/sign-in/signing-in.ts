import type { NewOrganization } from '../../../src/modules/installation/installation.service.js';
import type { GetSessionResponse } from '../../../src/modules/sign-in/dto/session.dto.js';
import type { SignInConnectionResponse } from '../../../src/modules/sign-in/dto/sign-in-connection.dto.js';
import { sharedApplication } from '../../support/application/shared-application.js';
import { organizationPerTest } from '../../support/application/shared-organization.js';
import type { TestApplication } from '../../support/application/test-application.js';
import { type Browser, type BrowserAnswer } from './browser.js';
import { CLIENT } from './client.js';
import { ScriptedProvider } from './scripted-provider.js';

/** What people and administrators of an organization do to sign in with a provider that a test scripts. */
export interface SigningIn {
  readonly app: TestApplication;
  readonly organization: NewOrganization;
  readonly idp: ScriptedProvider;
  /** Adds the provider. @returns its id */
  connect(settings?: object): Promise<string>;
  /** Links the administrator to a subject. */
  link(subject?: string): Promise<void>;
  /** Where a sign-in begins. */
  loginUrl(parameters?: Readonly<Record<string, string>>): string;
  /** Follows a sign-in to where it leads in the end, or to the page that refuses. */
  signIn(browser: Browser, parameters?: Readonly<Record<string, string>>): Promise<BrowserAnswer>;
  /** What the session of a browser is. */
  session(browser: Browser): Promise<GetSessionResponse['data']>;
  /** The status that a browser gets for its session: 401 without one. */
  statusOf(browser: Browser): Promise<number>;
}

/** Prepares, for a describe block, an application with an organization and a provider for each test. */
export function signingIn(variables: Readonly<Record<string, string>> = {}): SigningIn {
  const app = sharedApplication({ variables: { OIDC_ALLOW_PRIVATE_ISSUERS: 'true', ...variables } });
  const organization = organizationPerTest(app);
  let idp: ScriptedProvider;

  // Another one for each test, because what a provider says of itself is kept for a while.
  beforeEach(async () => {
    idp = await ScriptedProvider.start();
  });

  afterEach(async () => {
    await idp.stop();
  });

  const loginUrl: SigningIn['loginUrl'] = (parameters = {}) =>
    `${app.origin}/auth/login?${new URLSearchParams({ organization: organization.organizationId, ...parameters }).toString()}`;
  const sessionOf = (browser: Browser): Promise<BrowserAnswer> => browser.send(`${app.origin}/console/api/v1/session`);
  return {
    app,
    organization,
    get idp() {
      return idp;
    },
    loginUrl,
    async connect(settings = {}) {
      const answer = await app.api.post<SignInConnectionResponse>('/sign-in/connections', {
        key: organization.managementKey,
        json: { name: 'Provider', issuer: idp.issuer, client_id: CLIENT.id, client_secret: CLIENT.secret, ...settings },
      });
      expect(answer.status).toBe(201);
      return answer.body.data.id;
    },
    async link(subject = 'ada') {
      const answer = await app.api.post(`/organization/members/${organization.userId}/identities`, {
        key: organization.managementKey,
        json: { issuer: idp.issuer, subject },
      });
      expect(answer.status).toBe(201);
    },
    signIn: (browser, parameters = {}) =>
      browser.follow(loginUrl(parameters), (url) => url.startsWith(app.origin) && !url.includes('/auth/callback')),
    async session(browser) {
      const answer = await sessionOf(browser);
      expect(answer.status).toBe(200);
      return (JSON.parse(answer.text) as GetSessionResponse).data;
    },
    async statusOf(browser) {
      return (await sessionOf(browser)).status;
    },
  };
}
