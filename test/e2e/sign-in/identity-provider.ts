import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider, { type Configuration } from 'oidc-provider';
import { type Claims, CLIENT } from './client.js';

/** An OpenID provider of its own in this process, whose login page signs in whom a test names. */
export class IdentityProvider {
  /** Who signs in next; null for a person who refuses. */
  current: string | null = 'ada';
  /** The claims of people, by subject. */
  readonly people = new Map<string, Claims>();

  private constructor(
    readonly issuer: string,
    readonly provider: Provider,
    private readonly server: Server,
  ) {}

  /** @param publicUrl where the gateway is */
  static async start(publicUrl: string): Promise<IdentityProvider> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const known: { idp?: IdentityProvider } = {};
    const provider = new Provider(
      issuer,
      configurationOf(publicUrl, () => known.idp!),
    );
    const idp = new IdentityProvider(issuer, provider, server);
    known.idp = idp;
    const callback = provider.callback();
    server.on('request', (request, response) => {
      if (request.url?.startsWith('/interaction/') === true) void idp.interact(request, response);
      else void callback(request, response);
    });
    return idp;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** What a person would do on the pages of the provider. */
  private async interact(...[request, response]: Parameters<Provider['interactionDetails']>): Promise<void> {
    const { prompt, params, session, grantId } = await this.provider.interactionDetails(request, response);
    if (this.current === null) {
      const error = { error: 'access_denied', error_description: 'The <b>person</b> refused.' };
      await this.provider.interactionFinished(request, response, error);
    } else if (prompt.name === 'login') {
      await this.provider.interactionFinished(request, response, { login: { accountId: this.current } });
    } else {
      const grant =
        (grantId !== undefined && (await this.provider.Grant.find(grantId))) ||
        new this.provider.Grant({ accountId: session!.accountId, clientId: String(params['client_id']) });
      grant.addOIDCScope(String(params['scope']));
      const consent = { grantId: await grant.save() };
      await this.provider.interactionFinished(request, response, { consent }, { mergeWithLastSubmission: true });
    }
  }
}

function configurationOf(publicUrl: string, idp: () => IdentityProvider): Configuration {
  return {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: [`${publicUrl}/auth/callback`],
        post_logout_redirect_uris: [`${publicUrl}/auth/login`],
        backchannel_logout_uri: `${publicUrl}/auth/backchannel-logout`,
        backchannel_logout_session_required: true,
      },
    ],
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified'],
      profile: ['name', 'given_name', 'family_name'],
      groups: ['groups'],
    },
    conformIdTokenClaims: false,
    features: {
      devInteractions: { enabled: false },
      backchannelLogout: { enabled: true },
      rpInitiatedLogout: { enabled: true },
    },
    pkce: { required: () => true },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: (_, sub) => ({ accountId: sub, claims: () => ({ sub, ...idp().people.get(sub) }) }),
    // It refuses to call addresses of this machine by itself.
    fetch: (url, options) => {
      const { dispatcher: _, ...others } = options as RequestInit & { dispatcher?: unknown };
      return fetch(url, others);
    },
    cookies: { keys: ['a key of the tests'] },
  };
}
