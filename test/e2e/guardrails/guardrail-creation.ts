import { sharedApplication } from '../../support/application/shared-application.js';
import type { CreateGuardrailResponse, Guardrail } from '../../../src/modules/guardrails/dto/guardrail.dto.js';
import type { Answer, ErrorBody } from '../../support/network/api-client.js';
import { expectToFitContract } from '../../support/contract/contract-answers.js';
import { expectRefusal, type Refusal } from '../../support/expectations/error-envelope.js';
import { sharedOrganization } from '../../support/application/shared-organization.js';

/** One code point, two UTF-16 code units, four bytes. */
export const ASTRAL = '\u{1f512}';

export const LISTS = ['allowed_models', 'ignored_models', 'allowed_providers', 'ignored_providers'] as const;

export const VENDORS = ['vendor_a', 'vendor_b', 'vendor_c', 'vendor_d', 'other'] as const;

export const SWITCHES = [
  'enable_free_model_publication',
  'enable_free_model_training',
  'enable_paid_model_training',
  'enforce_zdr',
  ...VENDORS.map((vendor) => `enforce_zdr_${vendor}`),
];

/** The answer's fields beside those that a request sets. */
export const ALL_UNSET = {
  description: null,
  limit_usd: null,
  reset_interval: null,
  include_byok_in_budgets: false,
  allowed_models: null,
  ignored_models: null,
  allowed_providers: null,
  ignored_providers: null,
  allowed_data_regions: null,
  enforce_zdr: null,
  enforce_zdr_vendor_a: null,
  enforce_zdr_vendor_b: null,
  enforce_zdr_vendor_c: null,
  enforce_zdr_vendor_d: null,
  enforce_zdr_other: null,
  enable_free_model_publication: null,
  enable_free_model_training: null,
  enable_paid_model_training: null,
  content_filter_builtins: null,
  content_filters: null,
  updated_at: null,
};

/** What the tests of createGuardrail send, and what they look at. */
export function guardrailCreation() {
  const app = sharedApplication({ topic: 'guardrail-creation' });
  const organization = sharedOrganization(app);

  beforeAll(() => app.factory.starterCatalog());

  const post = (json: unknown): Promise<Answer<CreateGuardrailResponse>> =>
    app.api.post('/guardrails', { key: organization.managementKey, json });

  const create = async (fields: object): Promise<Guardrail> => {
    const answer = await post({ name: 'Test', ...fields });
    expect(answer.text).toContain('"data"');
    expect(answer.status).toBe(201);
    expectToFitContract('createGuardrail', 201, answer.body);
    return answer.body.data;
  };

  const row = async (id: string): Promise<Record<string, unknown>> => {
    const rows = await app.rows('SELECT * FROM guardrails WHERE id = $1', [id]);
    expect(rows).toHaveLength(1);
    return rows[0]!;
  };

  const count = async (): Promise<number> => (await app.rows('SELECT id FROM guardrails')).length;

  /** Refused, and nothing stored. */
  const expectNothingStored = async (request: () => Promise<Answer>, refusal: Refusal): Promise<Answer> => {
    const before = await count();
    const answer = await request();
    expectRefusal(answer, { userId: organization.userId, ...refusal });
    expect(await count()).toBe(before);
    return answer;
  };

  const expectRefused = (fields: object, reason: string, ...paths: string[]): Promise<Answer> =>
    expectNothingStored(() => post({ name: 'Test', ...fields }), { status: 400, reason, paths });

  const messagesOf = (answer: Answer): string[] =>
    (answer.body as ErrorBody).error.metadata.issues!.map((issue) => issue.message);

  return { app, organization, post, create, row, expectNothingStored, expectRefused, messagesOf };
}
