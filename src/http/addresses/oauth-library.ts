import * as oidc from 'openid-client';
import type { IssuerRequest } from './issuer-transport.js';

/** Sends the requests of the library. */
export function libraryFetch(send: (url: string, request: IssuerRequest) => Promise<Response>): oidc.CustomFetch {
  return (url, { method, headers, body, signal }) => send(url, { method, headers, body: formOf(body), signal });
}

/** How a client proves itself to the token endpoint: by what the server takes (OpenID Connect Core 1.0, section 9). @param secret null for none */
export function clientAuthentication(secret: string | null): oidc.ClientAuth {
  if (secret === null) return oidc.None();
  const [basic, post] = [basicAuthentication(secret), oidc.ClientSecretPost(secret)];
  return (server, client, body, headers) => {
    const taken = server.token_endpoint_auth_methods_supported;
    const authenticate = taken === undefined || taken.includes('client_secret_basic') ? basic : post;
    authenticate(server, client, body, headers);
  };
}

/**
 * Id and secret in the header, each encoded as in a form (RFC 6749, section 2.3.1). The library encodes more than that: hyphens, as ids of
 * clients have them, which servers that decode nothing do not take.
 */
function basicAuthentication(secret: string): oidc.ClientAuth {
  return (_server, { client_id: id }, _body, headers) => {
    headers.set('authorization', `Basic ${Buffer.from([id, secret].map(formEncoded).join(':')).toString('base64')}`);
  };
}

function formEncoded(text: string): string {
  return new URLSearchParams({ '': text }).toString().slice(1);
}

/** The body of a request of the library: all of them are forms. */
function formOf(body: oidc.FetchBody): string | undefined {
  return body instanceof URLSearchParams || typeof body === 'string' ? body.toString() : undefined;
}
