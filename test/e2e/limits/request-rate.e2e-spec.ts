import { TestApplication } from '../../support/application/test-application.js';

const LIMIT = 5;

describe('the requests of one organization in a minute', () => {
  let app: TestApplication;

  beforeAll(async () => {
    const variables = { ORGANIZATION_REQUESTS_PER_MINUTE: String(LIMIT), ANONYMOUS_OPERATIONS: 'listImageModels' };
    app = await TestApplication.start({ variables });
  });

  afterAll(() => app.stop());

  it('are answered 429 with Retry-After beyond the limit, while another organization is answered 200', async () => {
    const [busy, other] = [await app.factory.organization(), await app.factory.organization()];
    // Twice the limit, for a minute may end meanwhile.
    const answers = [];
    for (let request = 0; request <= 2 * LIMIT; request += 1) {
      answers.push(await app.api.get('/workspaces', { key: busy.managementKey }));
    }

    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    expect(answers.length - refused.length).toBeGreaterThanOrEqual(LIMIT);
    for (const { body, headers } of refused) {
      expect(body).toMatchObject({
        error: { code: 429, message: 'Rate limit exceeded', metadata: { reason: 'organization_request_rate' } },
      });
      expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
      expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(60);
    }
    expect((await app.api.get('/workspaces', { key: other.managementKey })).status).toBe(200);
  });

  it('are counted separately from requests without a credential: 429 for those, 200 for the organization', async () => {
    const organization = await app.factory.organization();
    const anonymous = [];
    for (let request = 0; request <= 2 * LIMIT; request += 1) anonymous.push(await app.api.get('/images/models'));

    expect(anonymous.map(({ status }) => status)).toContain(429);
    expect((await app.api.get('/workspaces', { key: organization.managementKey })).status).toBe(200);
  });
});
