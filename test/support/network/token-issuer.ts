import http, { type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose';

/** A key of an issuer. */
export interface IssuerKey {
  readonly kid: string;
  readonly alg: 'ES256' | 'RS256';
  readonly privateKey: CryptoKey;
  readonly publicJwk: JWK;
}

/** Makes a key as issuers have them. */
export async function newIssuerKey(kid: string, alg: IssuerKey['alg'] = 'ES256'): Promise<IssuerKey> {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  return { kid, alg, privateKey, publicJwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } };
}

/** Signs claims. @param header besides algorithm and name of the key, or in their place */
export async function signedToken(key: IssuerKey, claims: JWTPayload, header: object = {}): Promise<string> {
  return new SignJWT(claims)
    .setProtectedHeader({ alg: key.alg, kid: key.kid, typ: 'JWT', ...header })
    .sign(key.privateKey);
}

/** Answers a request in place of the issuer. */
export type IssuerAnswer = (response: ServerResponse, path: string) => void;

/** An OpenID provider of a test's own, on the loopback, as far as the exchange of tokens needs one: its discovery document and its keys. */
export class TokenIssuer {
  /** The paths of all requests. */
  readonly requests: string[] = [];
  keys: IssuerKey[] = [];
  /** Set to answer otherwise. */
  answer: IssuerAnswer | undefined;

  private constructor(
    private readonly server: http.Server,
    /** Its claim `iss`. */
    readonly issuer: string,
  ) {}

  static async start(): Promise<TokenIssuer> {
    const server = http.createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const issuer = new TokenIssuer(server, `http://127.0.0.1:${port}`);
    issuer.keys = [await newIssuerKey('key-1')];
    server.on('request', ({ url = '' }, response) => issuer.respond(url, response));
    return issuer;
  }

  stop(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  get jwksUrl(): string {
    return `${this.issuer}/keys`;
  }

  /** How often its keys were asked for. */
  get keyRequests(): number {
    return this.requests.filter((path) => path === '/keys').length;
  }

  /** A token that is valid for ten minutes. @param claims besides issuer and times, or in their place */
  async token(claims: JWTPayload = {}, key = this.keys[0]!, header: object = {}): Promise<string> {
    const now = Math.floor(Date.now() / 1000);
    return signedToken(key, { iss: this.issuer, iat: now, exp: now + 600, ...claims }, header);
  }

  private respond(path: string, response: ServerResponse): void {
    this.requests.push(path);
    if (this.answer !== undefined) {
      this.answer(response, path);
      return;
    }
    const json = (value: object): void => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    };
    if (path === '/keys') json({ keys: this.keys.map(({ publicJwk }) => publicJwk) });
    else if (path === '/.well-known/openid-configuration') json({ issuer: this.issuer, jwks_uri: this.jwksUrl });
    else response.writeHead(404).end();
  }
}
