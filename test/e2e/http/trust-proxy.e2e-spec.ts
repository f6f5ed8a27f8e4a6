import { TestApplication } from '../../support/application/test-application.js';
import { createTestDatabase, type TestDatabase } from '../../support/database/test-database.js';

const CLIENT = '203.0.113.9';
const PROXY = '198.51.100.7';
const SOCKET = '127.0.0.1';

describe('TRUST_PROXY', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
  });

  afterAll(() => database.drop());

  /** The address that the audit trail has of a request that came with this header. */
  const recordedAddress = async (trustProxy: string, forwardedFor: string | undefined): Promise<unknown> => {
    const app = await TestApplication.start({ database, variables: { TRUST_PROXY: trustProxy } });
    try {
      const { managementKey, organizationId } = await app.factory.unrecordedOrganization();
      await app.api.post('/keys', {
        key: managementKey,
        json: { name: 'x' },
        ...(forwardedFor !== undefined && { headers: { 'x-forwarded-for': forwardedFor } }),
      });
      const events = await app.rows<{ address: string }>(
        'SELECT address FROM audit_events WHERE organization_id = $1',
        [organizationId],
      );
      expect(events).toHaveLength(1);
      return events[0]!.address;
    } finally {
      await app.stop();
    }
  };

  it.each([
    ['unset', '', `${CLIENT}, ${PROXY}`, SOCKET],
    ['one proxy', '1', `${CLIENT}, ${PROXY}`, PROXY],
    ['two proxies', '2', `${CLIENT}, ${PROXY}`, CLIENT],
    ['more proxies than addresses', '3', `${CLIENT}, ${PROXY}`, CLIENT],
    ['the address that connects', SOCKET, `${CLIENT}, ${PROXY}`, PROXY],
    ['a name for it', 'loopback', `${CLIENT}, ${PROXY}`, PROXY],
    ['two ranges', 'loopback, 198.51.100.0/24', `${CLIENT}, ${PROXY}`, CLIENT],
    ['a range that does not connect', '10.0.0.0/8', `${CLIENT}, ${PROXY}`, SOCKET],
    ['one proxy that says nothing', '1', undefined, SOCKET],
  ])('with %s records the right address as that of the client', async (_, trustProxy, forwardedFor, address) => {
    expect(await recordedAddress(trustProxy, forwardedFor)).toBe(address);
  });
});
