import { rowCounts } from '../../../support/expectations/no-side-effects.js';
import type { Answer, ErrorBody } from '../../../support/network/api-client.js';
import { type EvaluationBody, guardrailEvaluation, reasonAndPaths, SETTINGS } from './guardrail-evaluation.js';

/** The id that stands for a guardrail that does not exist. */
const NEW = '00000000-0000-0000-0000-000000000000';

describe('evaluateGuardrailDraft', () => {
  const { gateway, organization, guardrail, evaluated, asked } = guardrailEvaluation();

  /** An evaluation without the id of its guardrail, which is another one for another guardrail. */
  const without = (id: string, evaluation: object): unknown =>
    JSON.parse(JSON.stringify(evaluation).replaceAll(id, 'the guardrail'));

  const evaluateDraft = <Body = EvaluationBody>(json: object): Promise<Answer<Body>> =>
    gateway.app.api.post<Body>('/guardrails/evaluate', { key: organization.managementKey, json: { ...json } });

  describe('answers 200 with what is answered once it is created:', () => {
    it.each(SETTINGS)('%s', async (_, settings, fields) => {
      const { hash } = await gateway.app.factory.key(organization);
      const input = { request: asked(fields), api_key_hash: hash };
      const before = await rowCounts(gateway.app);

      const { status, body } = await evaluateDraft({ ...input, guardrail: { name: 'Everything', ...settings } });
      expect(status).toBe(200);
      expect(await rowCounts(gateway.app)).toEqual(before);
      const id = await guardrail({ name: 'Everything', ...settings });

      expect(without(NEW, body.data)).toEqual(without(id, await evaluated(id, input)));
    });
  });

  it('answers 200 with zero data retention for all vendors, as a guardrail is created with it', async () => {
    const { status, body } = await evaluateDraft({ request: asked(), guardrail: { name: 'Z', enforce_zdr: true } });

    expect([status, body.data.excluded_endpoints.map(({ reason }) => reason)]).toEqual([200, ['data_policy:zdr']]);
  });

  it.each<[string, object, readonly string[]]>([
    ['no guardrail', {}, ['guardrail']],
    ['a guardrail without a name', { guardrail: {} }, ['guardrail.name']],
    ['an interval without a limit', { guardrail: { name: 'N', reset_interval: 'daily' } }, ['guardrail.limit_usd']],
    ['an unknown workspace', { guardrail: { name: 'N', workspace_id: NEW } }, ['guardrail.workspace_id']],
    ['an unknown workspace of the key', { guardrail: { name: 'N' }, workspace_id: NEW }, ['workspace_id']],
    [
      'what is wrong in both',
      { guardrail: { name: 'N', limit_usd: -1 }, request: {} },
      ['guardrail.limit_usd', 'request.messages', 'guardrail.reset_interval'],
    ],
  ])('answers 400 for %s', async (_, fields, paths) => {
    const answer = await evaluateDraft<ErrorBody>({ request: asked(), ...fields });

    expect([answer.status, reasonAndPaths(answer)[1]]).toEqual([400, paths]);
  });
});
