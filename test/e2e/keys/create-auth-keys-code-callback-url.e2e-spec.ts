import { newCode } from '../../support/resources/authorization-codes.js';
import { authCodeCreation } from '../oauth/auth-code-creation.js';

describe('createAuthKeysCode', () => {
  const { app, organization, post, row, stored, expectNothingStored, expectRefused } = authCodeCreation();

  describe('callback_url', () => {
    it.each([
      'https://app.example.com',
      'https://app.example.com:8443/a/b;c?d=e&f=%20',
      'HTTPS://APP.EXAMPLE.COM/',
      'https://[2001:db8::1]/callback',
      'http://localhost/callback',
      'http://LOCALHOST:3000/',
      'http://127.0.0.1:51004/callback',
      'http://[::1]:3000/callback',
      'https://app.example.com:443/callback',
      'https://my_app.example.com/callback',
      `https://app.example.com/${'x'.repeat(2024)}`,
    ])('%s is answered 200, and is stored as it is', async (url) => {
      expect(await row(await newCode(app, organization.managementKey, { callback_url: url }))).toMatchObject({
        callback_url: url,
      });
    });

    it.each([
      'http://app.example.com/callback',
      'http://localhost.example.com/',
      'http://127.0.0.1.example.com/',
      'http://10.0.0.1/',
      'http://0.0.0.0/',
      'http://[::2]/',
      'ftp://localhost/',
      'myapp://callback',
      'javascript:alert(1)',
      'data:text/html,x',
      'urn:x',
      'https://user@app.example.com/',
      'https://user:password@app.example.com/',
      'https://:password@app.example.com/',
      'https://app.example.com/#fragment',
      '/callback',
      'app.example.com',
      'https://',
      'https://app example.com/',
      'https://app.example.com:99999/',
      'https://a%00b/',
      'https://1.2.3.256/',
      'https://[::1/',
      `https://${'a'.repeat(250)}.com/`,
      `https://app.example.com/${'x'.repeat(2025)}`,
      'https:evil.example.com',
      'https:/evil.example.com',
      'https:///evil.example.com',
      'http:localhost/',
      'http://0x7f000001/',
      'http://127.1/',
      'http://2130706433/',
      'http://[0:0:0:0:0:0:0:1]/',
      'https://*.example.com/',
      'https://%65vil.example.com/',
      'https://evil.example.com./',
      'https://-evil.example.com/',
      'https://evil!.example.com/',
      'https://evil.example.com:0443/',
      'https://app.example.com/#',
      '',
      'a\u0000b',
      null,
      7,
      ['https://app.example.com/'],
    ])('%p is answered 400', async (url) => {
      const before = await stored();
      const answer = await post({ callback_url: url });

      expect(answer.status).toBe(400);
      const { error } = answer.body as unknown as { error: { metadata: { issues: { path: string }[] } } };
      expect(new Set(error.metadata.issues.map((issue) => issue.path))).toEqual(new Set(['callback_url']));
      expect(await stored()).toEqual(before);
    });

    it('is answered 400 when it is missing', async () => {
      await expectNothingStored(() => app.api.post('/auth/keys/code', { key: organization.managementKey, json: {} }), {
        status: 400,
        reason: 'invalid_parameters',
        paths: ['callback_url'],
      });
    });

    it('of a Connect client is answered 200 with a code for that client', async () => {
      const url = 'https://client.example.com/callback';
      const client = await app.factory.client(organization, ['https://elsewhere.example.com/', url]);
      const issuedTo = async (callbackUrl: string): Promise<unknown> =>
        (await row(await newCode(app, organization.managementKey, { callback_url: callbackUrl })))['connect_client_id'];

      expect(await issuedTo(url)).toBe(client.id);
      expect(await issuedTo('https://elsewhere.example.com/')).toBe(client.id);
      expect(await issuedTo('https://client.example.com:8443/callback')).toBeNull();
    });

    it.each([
      'https://SPELLED.example.com/Call%2Fback/a~b?c=d%C3%A9',
      'HTTPS://spelled.example.com:443/Call%2fback/a~b?c=d%c3%a9',
      'https://spelled.example.com/%43all%2Fback/a%7Eb?c=%64%C3%A9',
      'https://spelled.example.com/x/../Call%2Fback/./a~b?c=d%C3%A9',
      'https://spelled.example.com/x/%2e%2E/Call%2Fback/%2e/a~b?c=d%C3%A9',
    ])('of a Connect client in the equivalent spelling %s is answered 200 with a code for that client', async (url) => {
      const owner = await app.factory.organization();
      const client = await app.factory.client(owner, ['https://spelled.example.com/Call%2Fback/a~b?c=d%C3%A9']);

      const code = await newCode(app, owner.managementKey, { callback_url: url });

      expect(await row(code)).toMatchObject({ connect_client_id: client.id, callback_url: url });
    });

    it.each(['/', '/call', '/callback/', '/callback?a=b', '/Callback', '/call%2Fback', '/callback/../other'])(
      'is answered 400 when it has the origin of a Connect client and is none of its URLs: %s',
      async (place) => {
        await app.factory.client(organization, ['https://registered.example.com/callback']);

        const callback_url = `HTTPS://Registered.example.com:443${place}`;
        await expectRefused({ callback_url }, 'callback_url_not_registered', 'callback_url');
      },
    );

    it("of another organization's client is answered 200 with a code for no client", async () => {
      const url = 'https://foreign.example.com/callback';
      await app.factory.client(await app.factory.organization(), [url]);

      expect(
        (await row(await newCode(app, organization.managementKey, { callback_url: url })))['connect_client_id'],
      ).toBeNull();
    });

    it('is that of each client that has registered it in whatever spelling: 200 for its exchange, and 403 for the origin alone', async () => {
      const owner = await app.factory.organization();
      const [same, spelled, beside] = await Promise.all(
        [
          'https://several.example.com/Call%2Fback/a~b',
          'HTTPS://several.example.com:443/x/../Call%2fback/a%7Eb',
          'https://several.example.com/other',
        ].map((url) => app.factory.client(owner, [url])),
      );
      const exchanged = async (secret: string, callbackUrl: string): Promise<number> => {
        const code = await newCode(app, owner.managementKey, { callback_url: callbackUrl });
        return (await app.api.post('/auth/keys', { key: secret, json: { code } })).status;
      };

      const statuses: number[] = [];
      for (const { plaintext } of [same!, spelled!, beside!]) {
        statuses.push(await exchanged(plaintext, 'https://several.example.com/Call%2Fback/a~b'));
        statuses.push(await exchanged(plaintext, 'https://SEVERAL.example.com/%43all%2Fback/./a~b'));
      }

      expect(statuses).toEqual([200, 200, 200, 200, 403, 403]);
    });

    describe('on a loopback address', () => {
      const PLACE = '/Call%2Fback?a=1&b=2';

      it.each([
        ['http://127.0.0.1:3000', 'http://127.0.0.1:51004'],
        ['http://127.0.0.1:3000', 'http://127.0.0.1'],
        ['http://127.0.0.1', 'http://127.0.0.1:51004'],
        ['http://127.0.0.1', 'HTTP://127.0.0.1:65535'],
        ['http://[::1]:3000', 'http://[::1]:51004'],
        ['http://[::1]', 'http://[::1]:51004'],
        ['https://127.0.0.1:8443', 'https://127.0.0.1:51004'],
      ])(
        'of a client that has registered %s is answered 200 for %s, and only its secret exchanges it',
        async (one, other) => {
          const owner = await app.factory.organization();
          const client = await app.factory.client(owner, [`${one}${PLACE}`]);
          const stranger = await app.factory.client(owner, ['https://stranger.example.com/']);
          const url = `${other}${PLACE}`;
          const code = await newCode(app, owner.managementKey, { callback_url: url });
          const exchange = async (key: string): Promise<number> =>
            (await app.api.post('/auth/keys', { key, json: { code } })).status;

          expect(await row(code)).toMatchObject({ connect_client_id: client.id, callback_url: url });
          expect(await exchange(owner.managementKey)).toBe(403);
          expect(await exchange(stranger.plaintext)).toBe(403);
          expect(await exchange(client.plaintext)).toBe(200);
        },
      );

      it.each([
        ['another address', 'http://[::1]:51004', PLACE],
        ['the name of the machine', 'http://localhost:51004', PLACE],
        ['another scheme', 'https://127.0.0.1:51004', PLACE],
        ['another path', 'http://127.0.0.1:51004', '/Call%2Fback/?a=1&b=2'],
        ['a path in another case', 'http://127.0.0.1:51004', '/call%2Fback?a=1&b=2'],
        ['another query', 'http://127.0.0.1:51004', '/Call%2Fback?a=1'],
        ['an address that begins alike', 'https://127.0.0.10', PLACE],
        ['a host that begins alike', 'https://127.0.0.1.evil.example:3000', PLACE],
        ['a mapped address', 'https://[::ffff:7f00:1]:3000', PLACE],
      ])('is answered 200 with a code for no client at %s', async (_, origin, place) => {
        const owner = await app.factory.organization();
        await app.factory.client(owner, [`http://127.0.0.1:3000${PLACE}`, `https://127.0.0.2:3000${PLACE}`]);

        const code = await newCode(app, owner.managementKey, { callback_url: `${origin}${place}` });

        expect((await row(code))['connect_client_id']).toBeNull();
      });

      it.each([
        'http://127.0.0.1:3000@evil.example/cb',
        'http://evil.example@127.0.0.1:51004/cb',
        'http://127.0.0.1.evil.example:3000/cb',
        'http://127.0.0.1:51004.evil.example/cb',
        'http://127.1:51004/cb',
        'http://127.0.0.2:51004/cb',
        'http://0x7f.1:51004/cb',
        'http://[::ffff:127.0.0.1]:51004/cb',
        'http://[::ffff:7f00:1]:51004/cb',
        'http://[0:0:0:0:0:0:0:1]:51004/cb',
        'http://127.0.0.1:51004\\@evil.example/cb',
        'http://127.0.0.1:051004/cb',
        'http://127.0.0.1:65536/cb',
      ])('that only looks like one is answered 400: %s', async (callback_url) => {
        const owner = await app.factory.organization();
        await app.factory.client(owner, ['http://127.0.0.1:3000/cb', 'http://[::1]:3000/cb']);

        const answer = await app.api.post('/auth/keys/code', { key: owner.managementKey, json: { callback_url } });

        expect(answer.status).toBe(400);
      });

      it('has its port where it is a name, localhost: 200 with a code for no client on another one', async () => {
        const owner = await app.factory.organization();
        const client = await app.factory.client(owner, ['http://localhost:3000/cb']);
        const clientOf = async (callback_url: string): Promise<unknown> =>
          (await row(await newCode(app, owner.managementKey, { callback_url })))['connect_client_id'];

        expect(await clientOf('http://localhost:3000/cb')).toBe(client.id);
        expect(await clientOf('http://localhost:3001/cb')).toBeNull();
      });

      it('is answered 200 with a code for the client of this very port before one of another', async () => {
        const owner = await app.factory.organization();
        const other = await app.factory.client(owner, ['http://127.0.0.1:3000/cb']);
        const exact = await app.factory.client(owner, ['http://127.0.0.1:4000/cb']);
        const clientOf = async (port: number): Promise<unknown> =>
          (await row(await newCode(app, owner.managementKey, { callback_url: `http://127.0.0.1:${port}/cb` })))[
            'connect_client_id'
          ];

        expect([await clientOf(3000), await clientOf(4000), await clientOf(5000)]).toEqual([
          other.id,
          exact.id,
          other.id,
        ]);
      });

      it('is answered 200 with the number of one application on all ports of a client, and 400 for another path on its own port', async () => {
        const owner = await app.factory.organization();
        await app.factory.client(owner, ['http://127.0.0.1:3000/cb']);
        const send = (callback_url: string) =>
          app.api.post<{ data: { app_id: number } }>('/auth/keys/code', {
            key: owner.managementKey,
            json: { callback_url },
          });
        const numbers: number[] = [];
        for (const port of [3000, 51004, 51005]) {
          numbers.push((await send(`http://127.0.0.1:${port}/cb`)).body.data.app_id);
        }

        expect(numbers).toEqual([1, 1, 1]);
        expect((await send('http://127.0.0.1:3000/other')).status).toBe(400);
        expect((await send('http://127.0.0.1:51004/other')).body.data.app_id).toBe(2);
      });
    });

    it('of several clients is answered 200 with a code for the oldest', async () => {
      const url = 'https://shared.example.com/callback';
      const oldest = await app.factory.client(organization, [url]);
      await app.factory.client(organization, [url]);
      await app.rows(`UPDATE connect_clients SET created_at = created_at - interval '1 day' WHERE id = $1`, [
        oldest.id,
      ]);

      expect(
        (await row(await newCode(app, organization.managementKey, { callback_url: url })))['connect_client_id'],
      ).toBe(oldest.id);
    });
  });
});
