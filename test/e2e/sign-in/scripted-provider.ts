import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose';
import { type Claims, CLIENT } from './client.js';

/** What the provider answers at an endpoint. */
export interface ScriptedAnswer {
  readonly status?: number;
  readonly type?: string;
  readonly location?: string;
  readonly body: string;
}

interface SigningKey {
  readonly id: string;
  readonly privateKey: CryptoKey;
  readonly publicKey: JWK;
}

/** An OpenID provider of its own in this process that says exactly what a test wants it to, and signs the person in without a question. */
export class ScriptedProvider {
  /** Who signs in. */
  subject = 'ada';
  /** What the ID token has beside `iss`, `sub`, `aud`, `nonce`, `iat` and `exp`. */
  claims: Claims = {};
  /** What the discovery document and the tokens call the provider: at first its address without a slash at the end. */
  issuer: string;
  /** What the discovery document has instead or besides. */
  metadata: Claims = {};
  /** What the UserInfo endpoint answers; null for one that is not there. */
  userInfo: ((token: string) => ScriptedAnswer) | null = null;
  /** Whether every endpoint answers 503. */
  isAway = false;
  /** The paths that were asked, oldest first. */
  readonly asked: string[] = [];
  /** The parameters of the last authorization request. */
  lastAuthorization = new URLSearchParams();
  private key!: SigningKey;
  private readonly nonces = new Map<string, string>();

  private constructor(
    /** Where the provider is, without a slash at the end. */
    readonly address: string,
    private readonly server: Server,
  ) {
    this.issuer = address;
  }

  static async start(): Promise<ScriptedProvider> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const provider = new ScriptedProvider(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, server);
    await provider.useNewKey('first');
    server.on('request', (request, response) => {
      void provider.answerTo(request).then((answer) => send(response, answer));
    });
    return provider;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** Signs with a new key from now on, and publishes no other one. */
  async useNewKey(id = this.key.id): Promise<void> {
    const { privateKey, publicKey } = await generateKeyPair('RS256');
    this.key = { id, privateKey, publicKey: { ...(await exportJWK(publicKey)), kid: id, alg: 'RS256', use: 'sig' } };
  }

  /** How often a path was asked. */
  countOf(path: string): number {
    return this.asked.filter((one) => one === path).length;
  }

  /** A token that the provider has signed. @param payload without `iss`, `aud` and `iat` */
  async token(payload: JWTPayload, type = 'JWT'): Promise<string> {
    return new SignJWT({ iss: this.issuer, aud: CLIENT.id, ...payload })
      .setProtectedHeader({ alg: 'RS256', kid: this.key.id, typ: type })
      .setIssuedAt()
      .sign(this.key.privateKey);
  }

  /** A logout token (OpenID Connect Back-Channel Logout 1.0, section 2.4). */
  async logoutToken(id: string): Promise<string> {
    const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
    return this.token({ sub: this.subject, jti: id, exp: now() + 60, events }, 'logout+jwt');
  }

  private async answerTo(request: IncomingMessage): Promise<ScriptedAnswer> {
    const url = new URL(request.url!, this.address);
    this.asked.push(url.pathname);
    if (this.isAway) return { status: 503, body: '' };
    if (url.pathname.endsWith('jwks')) return json({ keys: [this.key.publicKey] });
    if (url.pathname.endsWith('/.well-known/openid-configuration')) return json(this.document());
    switch (url.pathname) {
      case '/authorize':
        return this.authorize(url.searchParams);
      case '/token':
        return json(await this.tokens(await bodyOf(request)));
      case '/userinfo':
        return (
          this.userInfo?.((request.headers.authorization ?? '').replace(/^Bearer /, '')) ?? { status: 404, body: '' }
        );
      default:
        return { status: 404, body: '' };
    }
  }

  private document(): object {
    return {
      issuer: this.issuer,
      authorization_endpoint: `${this.address}/authorize`,
      token_endpoint: `${this.address}/token`,
      jwks_uri: `${this.address}/jwks`,
      userinfo_endpoint: `${this.address}/userinfo`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      ...this.metadata,
    };
  }

  private authorize(parameters: URLSearchParams): ScriptedAnswer {
    this.lastAuthorization = parameters;
    const code = `code-${this.nonces.size + 1}`;
    this.nonces.set(code, parameters.get('nonce')!);
    const back = new URL(parameters.get('redirect_uri')!);
    back.searchParams.set('code', code);
    back.searchParams.set('state', parameters.get('state')!);
    return { status: 302, location: back.href, body: '' };
  }

  private async tokens(form: URLSearchParams): Promise<object> {
    const nonce = this.nonces.get(form.get('code')!);
    const idToken = await this.token({ sub: this.subject, nonce, exp: now() + 300, ...this.claims });
    return { access_token: 'an-access-token', token_type: 'Bearer', expires_in: 300, id_token: idToken };
  }
}

/** Seconds since the epoch. */
export function now(): number {
  return Math.floor(Date.now() / 1_000);
}

/** An answer of JSON. */
export function json(body: unknown, status = 200): ScriptedAnswer {
  return { status, type: 'application/json', body: JSON.stringify(body) };
}

function send(response: ServerResponse, { status = 200, type = 'text/plain', location, body }: ScriptedAnswer): void {
  response.writeHead(status, { 'content-type': type, ...(location !== undefined && { location }) });
  response.end(body);
}

async function bodyOf(request: IncomingMessage): Promise<URLSearchParams> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return new URLSearchParams(Buffer.concat(chunks).toString());
}
