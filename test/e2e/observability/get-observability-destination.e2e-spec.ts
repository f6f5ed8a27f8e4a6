import { DESTINATION_TYPES } from '../../../src/modules/observability/destination-settings.js';
import type { Answer } from '../../support/network/api-client.js';
import { expectToFitContract } from '../../support/contract/contract-answers.js';
import { DESTINATION_SAMPLES, SECRET_MARK } from '../../support/resources/destination-samples.js';
import { EVERY_DESTINATION_OPTION, DESTINATION_DEFAULTS } from '../../support/resources/destinations.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { storedText } from '../../support/database/stored-text.js';
import { TIMESTAMP, UNKNOWN_UUID, UUID_V7 } from '../../support/expectations/formats.js';
import { destinationReading, MASKED_HEADERS } from './destination-reading.js';

describe('getObservabilityDestination', () => {
  const { app, organization, pathOf, get, make } = destinationReading();

  const expectNotFound = (answer: Answer): void => {
    expectRefusal(answer, { status: 404, reason: 'destination_not_found', userId: organization.userId });
    expectToFitContract('getObservabilityDestination', 404, answer.body);
  };

  it('is tested with all 17 types', () => {
    expect(DESTINATION_TYPES).toHaveLength(17);
    expect(Object.keys(DESTINATION_SAMPLES).sort()).toEqual([...DESTINATION_TYPES].sort());
  });

  it.each(DESTINATION_TYPES)('answers 200 for the type %s with every credential masked', async (type) => {
    const id = await make(type);

    const answer = await get(id);

    expect(answer.status).toBe(200);
    expectToFitContract('getObservabilityDestination', 200, answer.body);
    expect(answer.body).toEqual({
      data: {
        id: expect.stringMatching(UUID_V7) as string,
        workspace_id: organization.workspaceId,
        name: expect.stringMatching(/^Destination \d+$/) as string,
        type,
        ...DESTINATION_DEFAULTS,
        config: { ...DESTINATION_SAMPLES[type].masked, headers: MASKED_HEADERS },
        created_at: expect.stringMatching(TIMESTAMP) as string,
        updated_at: answer.body.data.created_at,
      },
    });
    expect(answer.body.data.id).toBe(id);
    expect(answer.text).not.toContain(SECRET_MARK);
  });

  it('leaves no credential in database and log', async () => {
    const ids = await Promise.all(DESTINATION_TYPES.map((type) => make(type)));
    for (const id of ids) await get(id);

    const hex = Buffer.from(SECRET_MARK).toString('hex');
    for (const text of (await storedText(app)).values()) {
      expect(text).not.toContain(SECRET_MARK);
      expect(text).not.toContain(hex);
    }
    expect(app.logLines.join('')).toContain(pathOf(ids[0]!));
    expect(app.logLines.join('')).not.toContain(SECRET_MARK);
  });

  it('answers 200 without credentials that are not set, and with other settings unmasked', async () => {
    const id = await app.factory.destination(organization, 's3', {
      bucketName: 'b',
      accessKeyId: 'AKIA1234567812345',
      secretAccessKey: 'short',
    });

    expect((await get(id)).body.data.config).toEqual({
      bucketName: 'b',
      accessKeyId: 'AKIA...2345',
      secretAccessKey: '****',
    });
  });

  it('answers 200 with every field of the row', async () => {
    const id = await make();
    const hashes = ['0'.repeat(64), 'f'.repeat(64)];
    await app.rows(
      `UPDATE observability_destinations SET name = NULL, enabled = false, privacy_mode = true, sampling_rate = 0.25,
         broadcast_generation_cost = true, broadcast_generation_identity = true, broadcast_generation_request_context = true,
         regions = '{us}', api_key_hashes = $2, filter_rules = $3, created_at = '2026-01-02T03:04:05.678Z', updated_at = '2026-06-07T08:09:10+02:00'
       WHERE id = $1`,
      [id, hashes, JSON.stringify(EVERY_DESTINATION_OPTION.filter_rules)],
    );

    const answer = await get(id);

    expect(answer.body.data).toEqual({
      id,
      workspace_id: organization.workspaceId,
      name: null,
      type: 'langfuse',
      delivery_state: 'off',
      enabled: false,
      regions: ['us'],
      privacy_mode: true,
      sampling_rate: 0.25,
      broadcast_generation_cost: true,
      broadcast_generation_identity: true,
      broadcast_generation_request_context: true,
      api_key_hashes: hashes,
      filter_rules: EVERY_DESTINATION_OPTION.filter_rules,
      config: { ...DESTINATION_SAMPLES.langfuse.masked, headers: MASKED_HEADERS },
      created_at: '2026-01-02T03:04:05.678Z',
      updated_at: '2026-06-07T06:09:10.000Z',
    });
    expectToFitContract('getObservabilityDestination', 200, answer.body);
  });

  it.each([
    ['broadcast_generation_cost'],
    ['broadcast_generation_identity'],
    ['broadcast_generation_request_context'],
    ['privacy_mode'],
  ] as const)('answers 200 with %s independently of other fields', async (field) => {
    const id = await make();
    const before = (await get(id)).body.data;
    await app.rows(`UPDATE observability_destinations SET ${field} = true WHERE id = $1`, [id]);

    expect((await get(id)).body.data).toEqual({ ...before, [field]: true });
  });

  it('answers 200 for any workspace of the organization, and for an id in capitals', async () => {
    const workspaceId = await app.factory.workspace(organization);
    const id = await make('webhook', { ...organization, workspaceId });

    const answer = await get(id);

    expect(answer.body.data.workspace_id).toBe(workspaceId);
    expect((await get(id.toUpperCase())).text).toBe(answer.text);
  });

  it("answers 404 with the same body for another organization's destination and for a missing one", async () => {
    const foreign = await make('s3', await app.factory.organization());
    const options = { key: organization.managementKey, headers: { 'x-request-id': 'same' } };

    const answers = [
      await app.api.get(pathOf(UNKNOWN_UUID), options),
      await app.api.get(pathOf(foreign), options),
      await app.api.get(pathOf('not-a-uuid'), options),
    ];

    answers.forEach(expectNotFound);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  });

  it('answers 404 for a deleted destination', async () => {
    const id = await make();
    await app.rows('DELETE FROM observability_destinations WHERE id = $1', [id]);

    expectNotFound(await get(id));
  });

  it('answers 404 for an id that is not a UUID', async () => {
    const id = await make();

    for (const text of [
      'x',
      '1',
      'null',
      id.slice(1),
      `${id}0`,
      `%20${id}`,
      `${id}%0A`,
      id.replaceAll('-', ''),
      `%7B${id}%7D`,
      `urn:uuid:${id}`,
      id.replace(/.$/, 'g'),
      '%25',
      `${id}%2F..`,
      'x'.repeat(5000),
    ]) {
      expectNotFound(await get(text));
    }
  });

  it('answers 400 for a query and for a NUL in the path', async () => {
    const id = await make();
    const invalid = { status: 400, reason: 'invalid_parameters', userId: organization.userId };

    expectRefusal(await get(`${id}?reveal=true`), { ...invalid, paths: ['reveal'] });
    expectRefusal(await get(`${id}?limit=1&reveal=true`), { ...invalid, paths: ['limit', 'reveal'] });
    expectRefusal(await get(`${id}%00`), { ...invalid, paths: ['id'] });
  });
});
