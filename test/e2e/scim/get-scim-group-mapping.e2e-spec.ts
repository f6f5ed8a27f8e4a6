import { sharedApplication } from '../../support/application/shared-application.js';
import type { GetScimGroupMappingResponse } from '../../../src/modules/scim/dto/scim.dto.js';
import type { Answer } from '../../support/network/api-client.js';
import { expectToFitContract } from '../../support/contract/contract-answers.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { ScimFixture } from '../../support/resources/scim.js';
import { UNKNOWN_UUID } from '../../support/expectations/formats.js';
import { filledBefore } from '../../support/application/filled-before.js';

describe('getScimGroupMapping', () => {
  const app = sharedApplication({ topic: 'suite' });
  const fixture = filledBefore(beforeAll, () => ScimFixture.make(app));

  const get = (id: string, { organization } = fixture): Promise<Answer<GetScimGroupMappingResponse>> =>
    app.api.get(`/scim/group-mappings/${id}`, {
      key: organization.managementKey,
      headers: { 'x-request-id': 'the-same' },
    });

  const expectNotFound = (answer: Answer, { organization } = fixture): void => {
    expectRefusal(answer, { status: 404, reason: 'scim_group_mapping_not_found', userId: organization.userId });
    expectToFitContract('getScimGroupMapping', 404, answer.body);
  };

  it('answers 200 with the body of its creation, for an id in capitals as well', async () => {
    const made = await fixture.map(await fixture.group(), await fixture.workspace(), 'admin');

    const answer = await get(made.id);

    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ data: made });
    expectToFitContract('getScimGroupMapping', 200, answer.body);
    expect((await get(made.id.toUpperCase())).text).toBe(answer.text);
  });

  it.each([UNKNOWN_UUID, 'nowhere', '%20', `${UNKNOWN_UUID}x`, `{${UNKNOWN_UUID}}`])(
    'answers 404 for %s',
    async (id) => {
      expectNotFound(await get(id));
    },
  );

  it("answers 404 with the same body for another organization's mapping (200 to its owner) and for the id of something else", async () => {
    const other = await ScimFixture.make(app);
    const theirs = await other.map(await other.group(), await other.workspace());
    const [group, workspace] = [await fixture.group(), await fixture.workspace()];

    const answers = await Promise.all([UNKNOWN_UUID, theirs.id, group, workspace].map((id) => get(id)));

    for (const answer of answers) expectNotFound(answer);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect((await get(theirs.id, other)).status).toBe(200);
  });

  it('answers 404 for an organization without SCIM', async () => {
    const other = await ScimFixture.make(app);
    const { id } = await other.map(await other.group(), await other.workspace());
    await app.rows('UPDATE organizations SET scim_enabled = false WHERE id = $1', [other.organization.organizationId]);

    for (const one of [id, UNKNOWN_UUID]) {
      expectRefusal(await get(one, other), {
        status: 404,
        reason: 'scim_not_enabled',
        userId: other.organization.userId,
      });
    }
  });

  it('answers 400 for a query', async () => {
    const { id } = await fixture.map(await fixture.group(), await fixture.workspace());

    expectRefusal(await get(`${id}?keep_members=true`), {
      status: 400,
      reason: 'invalid_parameters',
      paths: ['keep_members'],
      userId: fixture.organization.userId,
    });
  });
});
