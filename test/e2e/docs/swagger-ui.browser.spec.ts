import type { Browser } from 'playwright-core';
import type { ModelResponse } from '../../../src/modules/catalog/dto/model.dto.js';
import type {
  CreateGuardrailResponse,
  ListGuardrailsResponse,
} from '../../../src/modules/guardrails/dto/guardrail.dto.js';
import type { ChatCompletionResponse } from '../../../src/modules/inference/dto/chat-completion-response.dto.js';
import type { NewOrganization } from '../../../src/modules/installation/installation.service.js';
import type { ErrorBody } from '../../support/network/api-client.js';
import { launchBrowser, SwaggerPage } from './swagger-page.js';
import { TestApplication } from '../../support/application/test-application.js';

interface DocumentedOperation {
  readonly operationId: string;
  readonly tags: readonly string[];
}

describe('Swagger UI at /docs', () => {
  let app: TestApplication;
  let organization: NewOrganization;
  let browser: Browser;
  let docs: SwaggerPage;

  beforeAll(async () => {
    app = await TestApplication.start();
    await app.factory.starterCatalog();
    browser = await launchBrowser();
  });

  beforeEach(async () => {
    organization = await app.factory.organization();
    docs = await SwaggerPage.open(browser, app.origin);
  });

  afterEach(() => docs.close());

  afterAll(async () => {
    await browser.close();
    await app.stop();
  });

  it('shows every operation under its tag', async () => {
    expect(await docs.page.title()).toBe('Gatehouse');
    const shown = await docs.operationsByTag();
    expect(shown).toEqual(await documentedByTag(app.origin));
    expect(shown.map(([tag]) => tag)).toContain('Guardrails');
  });

  it('logs no error and violates no content security policy', async () => {
    await docs.authorize(organization.managementKey);
    const operation = await docs.operation('Guardrails', 'listGuardrails');
    await operation.execute();

    expect(docs.complaints).toEqual([]);
  });

  it('creates a guardrail (201) from the example body, and lists it (200)', async () => {
    await docs.authorize(organization.managementKey);

    const create = await docs.operation('Guardrails', 'createGuardrail');
    const sent = await create.body();
    const created = await create.execute<CreateGuardrailResponse>();

    expect(created.status).toBe(201);
    expect(created.body.data).toMatchObject({
      name: 'Production',
      workspace_id: organization.workspaceId,
      limit_usd: 100,
      reset_interval: 'monthly',
      allowed_models: ['openai/gpt-5.5-20260423', 'anthropic/claude-4.6-sonnet-20260217'],
      ignored_providers: ['deepinfra'],
      content_filter_builtins: [
        { slug: 'email', action: 'redact', label: '[EMAIL]' },
        { slug: 'regex-prompt-injection', action: 'flag', scan_scope: 'user_only', label: '[PROMPT_INJECTION]' },
      ],
      content_filters: [{ pattern: 'PROJECT-[0-9]{4}', action: 'redact', label: '[PROJECT]' }],
      enforce_zdr_other: true,
      enable_paid_model_training: false,
    });
    expect(sent).not.toHaveProperty('workspace_id');
    const rows = await app.rows('SELECT id, name FROM guardrails WHERE organization_id = $1', [
      organization.organizationId,
    ]);
    expect(rows).toEqual([{ id: created.body.data.id, name: 'Production' }]);

    const list = await docs.operation('Guardrails', 'listGuardrails');
    const listed = await list.execute<ListGuardrailsResponse>();

    expect(listed).toEqual({ status: 200, body: { data: [created.body.data], total_count: 1 } });
  });

  it('creates an authorization code (200) from the example body', async () => {
    await docs.authorize(organization.managementKey);

    const operation = await docs.operation('OAuth', 'createAuthKeysCode');
    const { status } = await operation.execute();

    expect(status).toBe(200);
    const rows = await app.rows('SELECT user_id FROM authorization_codes WHERE organization_id = $1', [
      organization.organizationId,
    ]);
    expect(rows).toEqual([{ user_id: organization.userId }]);
  });

  it('asks the builtin model (200) with the example body, and shows what a guardrail has redacted', async () => {
    const { plaintext, hash } = await app.factory.key(organization);
    const guardrail = await app.factory.guardrail(organization, {
      content_filter_builtins: [{ slug: 'email', action: 'redact' }],
    });
    await app.api.post(`/guardrails/${guardrail.id}/assignments/keys`, {
      key: organization.managementKey,
      json: { key_hashes: [hash] },
    });
    await docs.authorize(plaintext);

    const operation = await docs.operation('Chat', 'sendChatCompletionRequest');
    const { status, body } = await operation.execute<ChatCompletionResponse>();

    expect(status).toBe(200);
    expect(body.choices[0]!.message).toEqual({ role: 'assistant', content: 'Write to [EMAIL]' });
    expect(docs.complaints).toEqual([]);
  });

  it('gets the model (200) of the example', async () => {
    await docs.authorize(organization.managementKey);

    const operation = await docs.operation('Models', 'getModel');
    const named = `${await operation.parameter('author')}/${await operation.parameter('slug')}`;
    const { status, body } = await operation.execute<ModelResponse>();

    expect(status).toBe(200);
    expect(body.data.id).toBe(named);
  });

  it('shows the 401 of a call without a credential', async () => {
    const operation = await docs.operation('Guardrails', 'listGuardrails');
    const { status, body } = await operation.execute<ErrorBody>();

    expect(status).toBe(401);
    expect(body.error).toEqual({
      code: 401,
      message: 'Missing Authentication header',
      metadata: { reason: 'missing_credential' },
    });
  });

  it('documents every status with an example of its own, 200 to 503', async () => {
    const operation = await docs.operation('SCIM', 'createScimGroupMapping');
    const answers = (await operation.documentedAnswers()) as Map<number, ErrorBody>;

    const failures = [...answers].filter(([status]) => status >= 400);
    expect(failures.map(([status, { error }]) => [status, error.code, error.message])).toEqual([
      [400, 400, 'Invalid request parameters'],
      [401, 401, 'Missing Authentication header'],
      [403, 403, 'Only management keys can perform this operation'],
      [404, 404, 'Resource not found'],
      [409, 409, 'Resource conflict. Please try again later.'],
      [413, 413, 'Payload Too Large'],
      [415, 415, 'Unsupported Media Type'],
      [429, 429, 'Rate limit exceeded'],
      [500, 500, 'Internal Server Error'],
    ]);
  });
});

/** The operationIds of every tag in the document, tags in alphabetical order. */
async function documentedByTag(origin: string): Promise<[string, string[]][]> {
  const response = await fetch(`${origin}/docs/openapi.json`);
  const { paths } = (await response.json()) as { paths: Record<string, Record<string, DocumentedOperation>> };
  const byTag = new Map<string, string[]>();
  const inOrder = Object.entries(paths).sort(([one], [other]) => one.localeCompare(other));
  for (const { tags, operationId } of inOrder.flatMap(([, operations]) => Object.values(operations))) {
    for (const tag of tags) byTag.set(tag, [...(byTag.get(tag) ?? []), operationId]);
  }
  return [...byTag].sort(([one], [other]) => one.localeCompare(other));
}
