import { sharedApplication } from '../../support/application/shared-application.js';
import { sharedOrganization } from '../../support/application/shared-organization.js';
import type { Answer, ErrorBody } from '../../support/network/api-client.js';

/** So many that each step of reading takes a turn, and less than a body may have. */
const SPACES = ' '.repeat(300_000);

describe('large bodies, which are read in turns of the event loop', () => {
  const app = sharedApplication();
  const organization = sharedOrganization(app);

  const send = (raw: string | Buffer): Promise<Answer<ErrorBody>> =>
    app.api.post<ErrorBody>('/guardrails', { key: organization.managementKey, raw });

  /** The status and the error, which are to be those of the same body without the spaces. */
  const refusalOf = async (raw: string | Buffer): Promise<[number, unknown]> => {
    const { status, body } = await send(raw);
    return [status, { ...body.error, request_id: undefined }];
  };

  it.each([
    ['malformed JSON', '{"name":"x",,}', 'malformed_json'],
    ['JSON that does not end', '{"name":"x"', 'malformed_json'],
    ['two values', '{"name":"x"}{}', 'malformed_json'],
    ['a mark of the byte order within', '{"name":\ufeff"x"}', 'malformed_json'],
    ['too deep a value', `{"name":${'['.repeat(70)}${']'.repeat(70)}}`, 'invalid_parameters'],
    ['malformed JSON that is too deep', `{"name":,${'['.repeat(70)}`, 'invalid_parameters'],
    ['too many values', `{"name":[${'1,'.repeat(60_000)}1]}`, 'invalid_parameters'],
    ['malformed JSON of too many values', `{"name":x[${'1,'.repeat(60_000)}1]}`, 'invalid_parameters'],
    ['a list', '[{"name":"x"}]', 'invalid_parameters'],
    ['the prototype', '{"name":"x","__proto__":{"a":1}}', 'invalid_parameters'],
    ['a number beyond all', '{"name":1e400}', 'invalid_parameters'],
    ['a name twice, of which the last counts', '{"name":"x","name":7}', 'invalid_parameters'],
    ['a lone surrogate', '{"name":"\\ud800"}', 'invalid_parameters'],
  ])('get 400 for %s, as small ones do', async (_, text, reason) => {
    const small = await refusalOf(text);
    expect(small).toMatchObject([400, { metadata: { reason } }]);
    expect(await refusalOf(`${SPACES}${text}`)).toEqual(small);
    expect(await refusalOf(`${text}${SPACES}`)).toEqual(small);
  });

  it('get 400 for a byte that is not UTF-8', async () => {
    const text = Buffer.from(`{"name":"x","description":"${SPACES}x"}`);
    text[text.length - 3] = 0xff;
    expect(await refusalOf(text)).toMatchObject([400, { metadata: { reason: 'malformed_body' } }]);
  });

  it.each([
    ['with a mark of the byte order', `\ufeff{"name":"ä😀"${SPACES}}`],
    ['with escapes', `{"na\\u006de":"\\u00e4\\ud83d\\ude00"${SPACES}}`],
  ])('get 201 %s', async (_, raw) => {
    const { status, body } = await app.api.post<{ data: { name: string } }>('/guardrails', {
      key: organization.managementKey,
      raw,
    });
    expect([status, body.data.name]).toEqual([201, 'ä😀']);
  });
});
