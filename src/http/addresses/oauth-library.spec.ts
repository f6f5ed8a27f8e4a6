import { clientAuthentication } from './oauth-library.js';

describe('the authentication of a client', () => {
  it.each([
    ['as they are, where a form has them so', '0b3f-4c_1.x', 'a-secret_0.1', '0b3f-4c_1.x:a-secret_0.1'],
    ['as a form has them', 'a:b c', 'p+w%d~\u00e9', 'a%3Ab+c:p%2Bw%25d%7E%C3%A9'],
  ])('has id and secret %s', (_, id, secret, shown) => {
    const headers = new Headers();
    const server = {
      issuer: 'https://login.example.com',
      token_endpoint_auth_methods_supported: ['client_secret_basic'],
    };
    clientAuthentication(secret)(server, { client_id: id }, new URLSearchParams(), headers);
    const [scheme, credentials] = headers.get('authorization')!.split(' ');
    expect([scheme, Buffer.from(credentials!, 'base64').toString()]).toEqual(['Basic', shown]);
  });
});
