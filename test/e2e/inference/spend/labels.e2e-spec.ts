import type { IssuedCredential } from '../../../../src/modules/keys/keys.service.js';
import { keyPerTest, organizationPerTest } from '../../../support/application/shared-organization.js';
import type { Answer } from '../../../support/network/api-client.js';
import { completion } from '../provider-answers.js';
import type { WholeAnswer } from '../read-answers.js';
import { newLimit } from '../../../support/resources/limits.js';
import { sharedGateway } from '../shared-gateway.js';

const AT_MOST = { max_tokens: 5, provider: { only: ['alpha'] } };

interface Refusal {
  readonly error: {
    readonly metadata: {
      readonly reason: string;
      readonly issues?: readonly { readonly path: string; readonly message: string }[];
    };
  };
}

function refusalOf({ status, body }: Answer<WholeAnswer>): { status: number } & Refusal['error']['metadata'] {
  return { status, ...(body as unknown as Refusal).error.metadata };
}

describe('labels and end users of requests', () => {
  const gateway = sharedGateway();
  const organization = organizationPerTest(gateway);
  const key = keyPerTest(gateway, organization);

  beforeEach(() => {
    gateway.alpha.answerWith((response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(completion('All is well.')));
    });
  });

  const asked = (
    headers: Readonly<Record<string, string>>,
    fields: object = {},
    issued: IssuedCredential = key,
  ): Promise<Answer<WholeAnswer>> => gateway.ask(issued, { ...AT_MOST, ...fields }, headers);

  const labelsOf = async (answer: Answer<WholeAnswer>): Promise<unknown> => {
    expect(answer.status).toBe(200);
    return (await gateway.record(answer, key))['labels'];
  };

  const change = (fields: object): Promise<Answer<{ data: Readonly<Record<string, unknown>> }>> =>
    gateway.app.api.patch(`/keys/${key.hash}`, { key: organization.managementKey, json: fields });

  const allow = async (labels: object | null): Promise<void> => {
    const json = { allowed_labels: labels };
    const answer = await gateway.app.api.patch<{ data: object }>('/workspaces/default', {
      key: organization.managementKey,
      json,
    });
    expect(answer.status).toBe(200);
    expect(answer.body.data).toEqual(
      labels === null ? expect.not.objectContaining(json) : expect.objectContaining(json),
    );
  };

  it('are in the record of a 200: those of the key before those of the header before those of the metadata', async () => {
    const { body } = await change({ labels: { team: 'search' } });
    expect(body.data['labels']).toEqual({ team: 'search' });

    const metadata = { team: 'ads', env: 'test', feature: 'chat', '-no': 'label', empty: '' };
    const answer = await asked({ 'X-Labels': 'team=ads, env=prod' }, { metadata });
    expect(await labelsOf(answer)).toEqual({ team: 'search', env: 'prod', feature: 'chat' });

    expect((await change({ labels: null })).body.data).not.toHaveProperty('labels');
    expect(await labelsOf(await asked({}))).toBeUndefined();
  });

  it('of a 200 have the characters that its header percent-encodes', async () => {
    const answer = await asked({ 'X-Labels': 'city=Z%C3%BCrich,list=a%2Cb,constructor=c' });
    expect(await labelsOf(answer)).toEqual({ city: 'Zürich', list: 'a,b', constructor: 'c' });
  });

  it.each([
    ['without a value', 'team', 'must be names and values like team=a,env=prod'],
    ['with an empty value', 'team=', 'must have 1 to 256 characters as the value of team'],
    ['with a long value', `team=${'a'.repeat(257)}`, 'must have 1 to 256 characters as the value of team'],
    ['with a name of other characters', 'te am=a', 'must be names and values like'],
    ['with the name of a prototype', '__proto__=a', 'must be names and values like'],
    ['with a name twice', 'team=a,team=b', 'names team twice'],
    ['that is badly encoded', 'team=%C3', 'percent-encoded where it needs it'],
    ['that ends with a comma', 'team=a,', 'must be names and values like'],
    ['with too many', Array.from({ length: 21 }, (_, index) => `l${index}=a`).join(','), 'more than 20 labels'],
  ])('answer 400 to a header %s, and ask no provider', async (_, header, message) => {
    const refused = refusalOf(await asked({ 'X-Labels': header }));
    expect(refused).toMatchObject({ status: 400, issues: [{ path: 'X-Labels' }] });
    expect(refused.issues![0]!.message).toContain(message);
    expect(gateway.alpha.received).toEqual([]);
  });

  it('are restricted to those that a workspace allows: a 400 in the header, and no label in the metadata', async () => {
    await allow({ team: ['search', 'ads'], env: '*' });
    await change({ labels: { owner: 'ada' } });
    const refused = refusalOf(await asked({ 'X-Labels': 'team=sales,env=prod,color=red' }));
    expect(refused).toMatchObject({
      status: 400,
      issues: [
        { path: 'X-Labels', message: 'names team=sales, which the workspace does not allow' },
        { path: 'X-Labels', message: 'names color=red, which the workspace does not allow' },
      ],
    });
    const answer = await asked({ 'X-Labels': 'env=prod' }, { metadata: { team: 'sales', color: 'red' } });
    expect(await labelsOf(answer)).toEqual({ owner: 'ada', env: 'prod' });
    await allow(null);
    expect(await labelsOf(await asked({ 'X-Labels': 'color=red' }))).toEqual({ owner: 'ada', color: 'red' });
  });

  it.each([
    ['responses', { input: 'Are you well?', max_output_tokens: 16, metadata: { team: 'search' } }],
    [
      'messages',
      {
        messages: [{ role: 'user', content: 'Are you well?' }],
        max_tokens: 5,
        metadata: { user_id: 'ada', team: 'search' },
      },
    ],
    ['completions', { prompt: 'Are you well?', max_tokens: 5, metadata: { team: 'search' } }],
  ])('answer 429 by a limit of one label to a request of /%s as to others', async (path, body) => {
    await newLimit(gateway.app, organization, { group_by: ['label.team'], amount: 1 });
    const json = { model: 'acme/writer', provider: AT_MOST.provider, ...body };
    const ask = (fields: object = {}): Promise<Answer<WholeAnswer>> =>
      gateway.app.api.post(`/${path}`, { key: key.plaintext, json: { ...json, ...fields } });
    expect((await ask()).status).toBe(200);
    expect((await ask()).status).toBe(429);
    expect((await ask({ metadata: { team: 'ads' } })).status).toBe(200);
    expect(refusalOf(await asked({ 'X-Labels': 'team=search' }))).toMatchObject({
      status: 429,
      limited_by: { values: { 'label.team': 'search' } },
    });
  });

  it('bind a key to one end user: 403 for another one, and one that is not named counts as this one', async () => {
    const { body } = await change({ bound_user: 'ada' });
    expect(body.data['bound_user']).toBe('ada');
    await newLimit(gateway.app, organization, { group_by: ['user'], amount: 1 });
    expect(refusalOf(await asked({}, { user: 'grace' }))).toMatchObject({
      status: 403,
      reason: 'end_user_not_allowed',
    });
    const answer = await asked({});
    expect(answer.status).toBe(200);
    expect(await gateway.record(answer, key)).toMatchObject({ external_user: 'ada' });
    expect(refusalOf(await asked({}, { user: 'ada' }))).toMatchObject({ status: 429 });
    expect((await change({ bound_user: null })).body.data).not.toHaveProperty('bound_user');
    expect((await asked({}, { user: 'grace' })).status).toBe(200);
  });

  it.each([
    ['labels', { team: 7 }, 'labels.team', 'must be a text of 1 to 256 characters'],
    ['labels', { 'te am': 'a' }, 'labels.te am', 'must have a name of 1 to 64 letters'],
    ['labels', 'team=a', 'labels', 'must be object'],
    [
      'labels',
      Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`l${index}`, 'a'])),
      'labels',
      'more than 20',
    ],
    ['bound_user', '', 'bound_user', 'must NOT have fewer than 1 characters'],
  ])('of a key answer 400 to %s that are %j, and change nothing', async (field, value, path, message) => {
    const answer = await change({ [field]: value });
    const { status, issues } = refusalOf(answer as unknown as Answer<WholeAnswer>);
    expect({ status, path: issues?.[0]?.path }).toEqual({ status: 400, path });
    expect(issues![0]!.message).toContain(message);
  });

  it.each([
    [{ team: [] }, 'allowed_labels.team'],
    [{ team: ['a', 7] }, 'allowed_labels.team[1]'],
    [{ '': '*' }, 'allowed_labels.'],
    [Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`l${index}`, '*'])), 'allowed_labels'],
  ])('of a workspace answer 400 to %j', async (labels, path) => {
    const answer = await gateway.app.api.patch('/workspaces/default', {
      key: organization.managementKey,
      json: { allowed_labels: labels },
    });
    expect(refusalOf(answer as unknown as Answer<WholeAnswer>)).toMatchObject({ status: 400, issues: [{ path }] });
  });
});
