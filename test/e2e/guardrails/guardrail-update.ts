import { sharedApplication } from '../../support/application/shared-application.js';
import type {
  CreateGuardrailRequest,
  Guardrail,
  UpdateGuardrailResponse,
} from '../../../src/modules/guardrails/dto/guardrail.dto.js';
import type { Answer } from '../../support/network/api-client.js';
import { expectToFitContract } from '../../support/contract/contract-answers.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { sharedOrganization } from '../../support/application/shared-organization.js';

/** A value for every field that a request can set but inspectors, which have to be there, none of them what it is by default. */
export const EVERYTHING: Required<
  Omit<CreateGuardrailRequest, 'workspace_id' | 'inspector_ids' | 'enforce_first_party_harness_models'>
> = {
  name: 'Everything',
  description: 'All that there is',
  limit_usd: 12.34,
  reset_interval: 'weekly',
  include_byok_in_budgets: true,
  allowed_models: ['openai/gpt-oss-120b'],
  ignored_models: ['meta-llama/llama-3.3-70b-instruct:free'],
  allowed_providers: ['openai', 'azure'],
  ignored_providers: ['groq'],
  allowed_data_regions: ['europe', 'us'],
  enforce_zdr: true,
  enforce_zdr_vendor_a: true,
  enforce_zdr_vendor_b: false,
  enforce_zdr_vendor_c: true,
  enforce_zdr_vendor_d: false,
  enforce_zdr_other: true,
  allowed_mcp_tools: ['docs/*', 'mail/send'],
  ignored_mcp_tools: ['docs/delete'],
  mcp_argument_rules: [{ tool: 'mail/send', schema: { required: ['to'] } }],
  enable_free_model_publication: true,
  enable_free_model_training: false,
  enable_paid_model_training: true,
  content_filter_builtins: [
    { slug: 'regex-prompt-injection', action: 'flag', scan_scope: 'user_only', applies_to: ['request'] },
  ],
  enforcement: 'observe',
  content_filters: [
    { pattern: 'PROJECT-[0-9]{4}', action: 'redact', label: '[PROJECT]' },
    { pattern: 'x', action: 'flag', applies_to: ['response', 'tool_call'] },
  ],
};

/** What the tests of updateGuardrail send, and what they look at. */
export function guardrailUpdate() {
  const app = sharedApplication({ topic: 'suite' });
  const organization = sharedOrganization(app);

  beforeAll(() => app.factory.starterCatalog());

  const patch = (id: string, json: unknown): Promise<Answer<UpdateGuardrailResponse>> =>
    app.api.patch(`/guardrails/${id}`, {
      key: organization.managementKey,
      json,
      headers: { 'x-request-id': 'the-same' },
    });

  const get = async (id: string): Promise<Guardrail> =>
    (await app.api.get<UpdateGuardrailResponse>(`/guardrails/${id}`, { key: organization.managementKey })).body.data;

  const changed = async (id: string, json: unknown): Promise<Guardrail> => {
    const answer = await patch(id, json);
    expect(answer.text).toContain('"data"');
    expect(answer.status).toBe(200);
    expectToFitContract('updateGuardrail', 200, answer.body);
    // What it answers is what there is.
    expect(await get(id)).toEqual(answer.body.data);
    return answer.body.data;
  };

  const row = async (id: string): Promise<unknown> =>
    (await app.rows('SELECT * FROM guardrails WHERE id = $1', [id]))[0];

  /** Refused, and nothing changed. */
  const expectRefused = async (
    guardrail: Guardrail,
    json: unknown,
    reason: string,
    ...paths: string[]
  ): Promise<void> => {
    const before = await row(guardrail.id);
    expectRefusal(await patch(guardrail.id, json), { status: 400, reason, paths, userId: organization.userId });
    expect(await row(guardrail.id)).toEqual(before);
  };

  const everything = (): Promise<Guardrail> => app.factory.guardrail(organization, EVERYTHING);

  return { app, organization, patch, get, changed, row, expectRefused, everything };
}
