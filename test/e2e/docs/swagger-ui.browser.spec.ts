import type { Browser, Locator } from 'playwright-core';
import type { ModelResponse } from '../../../src/modules/catalog/dto/model.dto.js';
import type {
  CreateGuardrailResponse,
  ListGuardrailsResponse,
} from '../../../src/modules/guardrails/dto/guardrail.dto.js';
import type { ChatCompletionResponse } from '../../../src/modules/inference/operations/chat/dto/chat-completion-response.dto.js';
import type { NewOrganization } from '../../../src/modules/installation/installation.service.js';
import type { ErrorBody } from '../../support/network/api-client.js';
import { launchBrowser } from '../../support/browser/launch-browser.js';
import { SwaggerPage } from './swagger-page.js';
import { until } from '../../support/time/until.js';
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
    browser = await launchBrowser();
    app = await TestApplication.start();
    await app.factory.starterCatalog();
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
    await docs.authorize({ management_key: organization.managementKey });
    const operation = await docs.operation('Guardrails', 'listGuardrails');
    await operation.execute();

    expect(docs.complaints).toEqual([]);
  });

  it('creates a guardrail (201) from the example body, and lists it (200)', async () => {
    await docs.authorize({ management_key: organization.managementKey });

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
    await docs.authorize({ management_key: organization.managementKey });

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
    await docs.authorize({ api_key: plaintext });

    const operation = await docs.operation('Chat', 'sendChatCompletionRequest');
    const { status, body } = await operation.execute<ChatCompletionResponse>();

    expect(status).toBe(200);
    expect(body.choices[0]!.message).toMatchObject({ role: 'assistant', content: 'Write to [EMAIL]' });
    expect(docs.complaints).toEqual([]);
  });

  it('gets the model (200) of the example', async () => {
    await docs.authorize({ management_key: organization.managementKey });

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

  it('documents every status with its reasons', async () => {
    const operation = await docs.operation('SCIM', 'createScimGroupMapping');
    const answers = await operation.documentedAnswers();

    expect([...answers.keys()]).toEqual([200, 400, 401, 403, 404, 409, 413, 415, 422, 429, 500]);
    expect(answers.get(404)).toMatch(/^Resource not found\. Reasons: .*scim_not_enabled/);
    expect(answers.get(409)).toContain('scim_group_mapping_exists');
  });

  it('takes a management key and an API key at once, makes a tour with both whose answers are 200, and forgets them', async () => {
    await docs.authorize({ management_key: organization.managementKey });
    const created = await (await docs.operation('API Keys', 'createKeys')).execute<{ key: string }>();
    await docs.authorize({ api_key: created.body.key });

    const answer = await (await docs.operation('Chat', 'sendChatCompletionRequest')).execute();
    const listed = await (await docs.operation('Guardrails', 'listGuardrails')).execute();

    expect([created.status, answer.status, listed.status]).toEqual([201, 200, 200]);
    const kept = await docs.page.evaluate('JSON.stringify([localStorage, sessionStorage])');
    expect(kept).toBe('[{},{}]');
  });

  it('begins with the tags that a new user needs, folded, and finds others by a filter', async () => {
    const tags = docs.page.locator('.opblock-tag');
    const names = await Promise.all((await tags.all()).map((tag) => tag.getAttribute('data-tag')));

    expect(names.slice(0, 3)).toEqual(['Chat', 'API Keys', 'Guardrails']);
    expect(await docs.page.locator('.opblock').count()).toBe(0);
    await docs.page.locator('.operation-filter-input').fill('Audit');
    await expectCount(tags, 1);
  });

  it('unfolds what the introduction leads to, on the same page', async () => {
    await docs.page.locator('.info a[href="#/Chat/sendChatCompletionRequest"]').click();

    await docs.page.locator('#operations-Chat-sendChatCompletionRequest button.execute').waitFor();
    expect(docs.page.context().pages()).toHaveLength(1);
  });

  it('shows operations on a few screens, with model and messages first', async () => {
    const chat = await docs.operation('Chat', 'sendChatCompletionRequest');

    expect(Object.keys((await chat.body()) as object)).toEqual(['model', 'messages']);
    expect(await chat.height()).toBeLessThan(3_600);
  });
});

async function expectCount(locator: Locator, count: number): Promise<void> {
  await until(async () => (await locator.count()) === count);
}

/** The operationIds of every tag in the document, in its order. */
async function documentedByTag(origin: string): Promise<[string, string[]][]> {
  const response = await fetch(`${origin}/docs/openapi.json`);
  const { paths, tags: all } = (await response.json()) as {
    paths: Record<string, Record<string, DocumentedOperation>>;
    tags: readonly { name: string }[];
  };
  const byTag = new Map<string, string[]>(all.map(({ name }) => [name, []]));
  const inOrder = Object.entries(paths).sort(([one], [other]) => one.localeCompare(other));
  for (const { tags, operationId } of inOrder.flatMap(([, operations]) => Object.values(operations))) {
    for (const tag of tags) byTag.set(tag, [...(byTag.get(tag) ?? []), operationId]);
  }
  return [...byTag];
}
