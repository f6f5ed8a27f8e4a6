import type { NewOrganization } from '../../../src/modules/installation/installation.service.js';
import type { Answer, ErrorBody } from '../../support/network/api-client.js';
import { newChallengedCode } from '../../support/resources/authorization-codes.js';
import { expectEnvelope } from '../../support/expectations/error-envelope.js';
import { UnfinishedRequest } from '../../support/network/unfinished-request.js';
import { until } from '../../support/time/until.js';
import { sharedApplication } from '../../support/application/shared-application.js';
import { sharedOrganization } from '../../support/application/shared-organization.js';

/** A body that two of are more than 1 MiB, and that is refused when it is complete. */
const LARGE = { name: 'x', description: 'x'.repeat(700_000) };

describe('incomplete request bodies', () => {
  const app = sharedApplication({
    variables: {
      REQUEST_BODY_MEMORY_PER_ORGANIZATION_MIB: '1',
      REQUEST_BODY_MEMORY_MIB: '3',
      ANONYMOUS_OPERATIONS: 'exchangeAuthCodeForAPIKey',
    },
  });
  const organization = sharedOrganization(app);
  const other = sharedOrganization(app);

  const send = ({ managementKey: key }: NewOrganization): Promise<Answer<ErrorBody>> =>
    app.api.post('/guardrails', { key, json: LARGE });

  const untilStatus = (owner: NewOrganization, status: number): Promise<void> =>
    until(async () => (await send(owner)).status === status);

  /** Sends all of a body but its end, and waits until another one has no room beside it. */
  const begin = async (owner: NewOrganization): Promise<UnfinishedRequest> => {
    for (;;) {
      const half = await UnfinishedRequest.post(`${app.origin}/api/v1/guardrails`, owner.managementKey, LARGE);
      await until(async () => half.isAnswered || (await send(owner)).status === 429);
      // Of two that arrive at once, either may be the one that is refused.
      if (!half.isAnswered) return half;
    }
  };

  it('of one organization are answered 429 with Retry-After beyond its share of the memory, and 400 once they are complete', async () => {
    const half = await begin(organization);

    const refused = await send(organization);
    expect(expectEnvelope(refused, 429).error.metadata).toEqual({ reason: 'too_many_unfinished_bodies' });
    expect(refused.headers.get('retry-after')).toBe('1');
    // What is small still fits in, and so does what another organization sends.
    expect((await app.api.post('/guardrails', { key: organization.managementKey, json: { name: 'x' } })).status).toBe(
      201,
    );
    expect((await send(other)).status).toBe(400);

    expect((await half.finish()).status).toBe(400);
    expect((await send(organization)).status).toBe(400);
  });

  it('are answered 429 where more organizations use the memory, 201 for small ones, and 400 afterwards', async () => {
    const third = await app.factory.organization();
    const halves = [await begin(organization), await begin(other)];

    await untilStatus(third, 429);
    // What is kept for organizations that have little is enough for a small one.
    expect((await app.api.post('/guardrails', { key: third.managementKey, json: { name: 'x' } })).status).toBe(201);

    for (const half of halves) await half.finish();
    expect((await send(third)).status).toBe(400);
  });

  it('release their memory when their client disconnects: 429 before, 400 afterwards', async () => {
    const half = await begin(organization);

    half.abort();

    await untilStatus(organization, 400);
  });

  it('without a credential are counted by the address of the client, so that organizations are answered 200', async () => {
    const half = await begin(organization);

    const exchange = await newChallengedCode(app, other.managementKey);
    expect((await app.api.post('/auth/keys', { json: exchange })).status).toBe(200);

    await half.finish();
  });
});
