import type { NewOrganization } from '../../../src/modules/installation/installation.service.js';
import type { CurrentKeyResponse } from '../../../src/modules/keys/dto/key.dto.js';
import { expectToFitContract } from '../../support/contract.js';
import { newKey, NOTHING_SPENT } from '../../support/key-answers.js';
import { expectRefusal } from '../../support/refusal.js';
import { TestApplication } from '../../support/test-application.js';
import { describeWhoMayCall } from '../../support/who-may-call.js';

const RATE_LIMIT = { requests: -1, interval: '10s', note: 'This field is deprecated and safe to ignore.' };

describe('GET /key', () => {
  let app: TestApplication;
  let organization: NewOrganization;

  beforeAll(async () => {
    app = await TestApplication.start();
    organization = await app.factory.organization();
  });

  afterAll(() => app.stop());

  const current = async (key: string): Promise<unknown> => {
    const answer = await app.api.get<CurrentKeyResponse>('/key', { key });
    expect(answer.status).toBe(200);
    expectToFitContract('getCurrentKey', 200, answer.body);
    expect(Object.keys(answer.body)).toEqual(['data']);
    return answer.body.data;
  };

  it('describes the API key that it is called with', async () => {
    const memberId = await app.factory.member(organization.organizationId);
    const { data, key } = await newKey(app, organization.managementKey, {
      creator_user_id: memberId,
      limit: 7,
      limit_reset: 'weekly',
      include_byok_in_limit: true,
      expires_at: '2099-01-01T00:00:00Z',
    });

    expect(await current(key)).toEqual({
      label: data.label,
      limit: 7,
      limit_remaining: 7,
      limit_reset: 'weekly',
      include_byok_in_limit: true,
      ...NOTHING_SPENT,
      is_free_tier: false,
      is_management_key: false,
      is_provisioning_key: false,
      expires_at: '2099-01-01T00:00:00.000Z',
      creator_user_id: memberId,
      rate_limit: RATE_LIMIT,
    });
  });

  it('describes a management key', async () => {
    expect(await current(organization.managementKey)).toEqual({
      label: expect.stringMatching(/^mk-gate-v1-[0-9a-f]{3}\.\.\.[0-9a-f]{3}$/) as unknown,
      limit: null,
      limit_remaining: null,
      limit_reset: null,
      include_byok_in_limit: false,
      ...NOTHING_SPENT,
      is_free_tier: false,
      is_management_key: true,
      is_provisioning_key: true,
      expires_at: null,
      creator_user_id: organization.userId,
      rate_limit: RATE_LIMIT,
    });
  });

  it('refuses a query', async () => {
    const answer = await app.api.get('/key?hash=x', { key: organization.managementKey });

    const refusal = { status: 400, reason: 'invalid_parameters', paths: ['hash'] };
    expectRefusal(answer, { ...refusal, userId: organization.userId });
  });

  describeWhoMayCall(['management_key', 'api_key'], () => ({
    app,
    organization,
    operationId: 'getCurrentKey',
    method: 'GET',
    path: '/key',
  }));
});
