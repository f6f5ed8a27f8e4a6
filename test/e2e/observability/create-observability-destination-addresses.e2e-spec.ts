import { DESTINATION_SETTINGS, DESTINATION_TYPES } from '../../../src/modules/observability/destination-settings.js';
import type { Answer, ErrorBody } from '../../support/network/api-client.js';
import { DESTINATION_SAMPLES } from '../../support/resources/destination-samples.js';
import { newDestination, storedConfig } from '../../support/resources/destinations.js';
import { DnsServer } from '../../support/network/dns-server.js';
import { FORBIDDEN_ADDRESSES, HOST_ADDRESSES } from './forbidden-addresses.js';
import { TestApplication } from '../../support/application/test-application.js';
import { destinationCreation, WEBHOOK } from './destination-creation.js';

describe('createObservabilityDestination', () => {
  const { app, organization, post, expectRefused } = destinationCreation();

  const messagesOf = ({ body }: Answer): string[] =>
    (body as ErrorBody).error.metadata.issues!.map(({ message }) => message);

  describe('with addresses', () => {
    it.each(FORBIDDEN_ADDRESSES)('answers 400 for %j, because it %s', async (url, fault) => {
      const answer = await expectRefused({ ...WEBHOOK, config: { url } }, 'address_not_allowed', 'config.url');

      expect(messagesOf(answer)).toEqual([fault]);
    });

    const addressSettings = DESTINATION_TYPES.flatMap((type) =>
      Object.entries(DESTINATION_SETTINGS[type]).flatMap(([name, { address }]) =>
        address === undefined ? [] : [[type, name, address] as const],
      ),
    );

    it.each(addressSettings)('answers 400 for a private address of the type %s as %s', async (type, name, form) => {
      const refuses = (address: string): Promise<Answer> => {
        const config = { ...DESTINATION_SAMPLES[type].config, [name]: address };
        return expectRefused({ type, name: 'x', config }, 'address_not_allowed', `config.${name}`);
      };
      const key = form === 'dsn' ? 'key@' : '';

      for (const host of ['127.0.0.1', '[::1]', '169.254.169.254', '0x7f000001', 'localhost', 'loopback.example.com']) {
        await refuses(`https://${key}${host}/1`);
      }
      if (form === 'host') {
        for (const host of ['127.0.0.1', '10.0.0.1:8443', '[::1]:8443', 'localhost', 'http://public.example.com']) {
          await refuses(host);
        }
      }
    });

    it('knows every setting that is an address', () => {
      const urls = DESTINATION_TYPES.flatMap((type) =>
        Object.entries(DESTINATION_SAMPLES[type].config).flatMap(([name, value]) =>
          value.startsWith('https://') ? [`${type}.${name}`] : [],
        ),
      );

      expect(addressSettings.map(([type, name]) => `${type}.${name}`).sort()).toEqual(urls.sort());
    });

    it.each([
      'https://public.example.com',
      'HTTPS://Public.Example.com/',
      'https://public.example.com:443/v1/traces?a=b',
      'https://public.example.com:8443/@127.0.0.1',
      'https://93.184.215.14/',
      'https://[2606:2800:21f:cb07:6820:80da:af6b:8b2c]:4318/',
      // It has no address, so nothing is sent there.
      'https://nowhere.example.com/',
    ])('answers 201 and stores %s unchanged', async (url) => {
      const { id } = await newDestination(app, organization, 'webhook', { config: { url } });

      expect(await storedConfig(app, id)).toEqual({ url, method: 'POST' });
    });

    it('answers 201 for a private address, and for http, where the deployment allows it', async () => {
      const variables = { ALLOW_PRIVATE_DESTINATIONS: 'true' };
      const lenient = await TestApplication.start({ database: app.database, variables });
      const attempt = async (url: string): Promise<number> =>
        (await post({ ...WEBHOOK, config: { url } }, organization.managementKey, lenient)).status;

      expect(await attempt('http://127.0.0.1:4318/v1/traces')).toBe(201);
      expect(await attempt('https://collector.internal/')).toBe(201);
      for (const url of [
        'file:///etc/passwd',
        'ftp://127.0.0.1/',
        'http://a:b@127.0.0.1/',
        'http://0x7f000001/',
        'http://169.254.169.254/latest/meta-data/',
        'http://metadata.google.internal/computeMetadata/v1/',
        'http://168.63.129.16/',
        'http://[fd00:ec2::254]/',
      ]) {
        expect([url, await attempt(url)]).toEqual([url, 400]);
      }

      await lenient.stop();
    });
  });

  describe('with host names that no name server answers for', () => {
    it("answers 400 and 429, while another organization's destinations are created with 201", async () => {
      const names = await DnsServer.start((name) => (name.startsWith('slow') ? 'silence' : HOST_ADDRESSES[name]));
      const asking = await TestApplication.start({
        database: app.database,
        // As many connections as let all of these requests be worked on at once: each has half of them.
        variables: { DNS_SERVERS: names.address, DNS_TIMEOUT_MS: '4000', DATABASE_POOL_SIZE: '64' },
      });
      const other = await app.factory.organization();
      const slow = Array.from({ length: 30 }, (_, index) =>
        post({ ...WEBHOOK, config: { url: `https://slow-${index}.example.com/` } }, organization.managementKey, asking),
      );

      const answer = await post(WEBHOOK, other.managementKey, asking);

      expect(answer.status).toBe(201);
      const outcomes = await Promise.all(slow);
      for (const { status, body, headers } of outcomes) {
        const { reason } = (body as unknown as ErrorBody).error.metadata;
        if (status === 429) expect([reason, headers.get('retry-after')]).toEqual(['too_many_host_lookups', '2']);
        else expect([status, reason]).toEqual([400, 'address_not_allowed']);
      }
      expect(outcomes.filter(({ status }) => status === 429).length).toBeGreaterThan(0);
      await asking.stop();
      await names.stop();
    }, 120_000);
  });
});
