import { LARGE_BODY, malformedBodies, bodyTooLarge } from '../../support/requests/malformed-bodies.js';
import { UNKNOWN_UUID } from '../../support/expectations/formats.js';
import { guardrailCreation } from './guardrail-creation.js';

describe('createGuardrail', () => {
  const { app, organization, expectNothingStored, expectRefused } = guardrailCreation();

  describe('faulty requests', () => {
    it('are answered 400 that names every issue of form at once', async () => {
      await expectRefused(
        {
          name: '',
          description: 1,
          workspace_id: 'x',
          limit_usd: -1,
          reset_interval: 'never',
          include_byok_in_budgets: 'yes',
          allowed_models: [],
          ignored_models: [1],
          allowed_providers: 'openai',
          ignored_providers: ['\u0000'],
          enforce_zdr: 1,
          enforce_zdr_other: 'true',
          content_filter_builtins: [{ slug: 'email', action: 'flag' }, { slug: 'email' }],
          content_filters: [{ pattern: '(' }],
          surprise: true,
        },
        'invalid_parameters',
        'name',
        'description',
        'workspace_id',
        'limit_usd',
        'reset_interval',
        'include_byok_in_budgets',
        'allowed_models',
        'ignored_models[0]',
        'allowed_providers',
        'ignored_providers[0]',
        'enforce_zdr',
        'enforce_zdr_other',
        'content_filter_builtins[1].action',
        'content_filter_builtins[1].slug',
        'content_filters[0].action',
        'content_filters[0].pattern',
        'surprise',
      );
    });

    it('are answered 400 that names every unknown reference at once', async () => {
      await expectRefused(
        {
          workspace_id: UNKNOWN_UUID,
          allowed_models: ['openai/gpt-audio', 'nobody/nothing'],
          ignored_models: ['nobody/nothing'],
          allowed_providers: ['nobody'],
          ignored_providers: ['openai', 'nobody'],
        },
        'invalid_parameters',
        'workspace_id',
        'allowed_models[1]',
        'ignored_models[0]',
        'allowed_providers[0]',
        'ignored_providers[1]',
      );
    });

    it.each(malformedBodies({ name: 'Test' }, LARGE_BODY))(
      'are answered 400, 413 or 415: %s',
      async (_, request, refusal) => {
        await expectNothingStored(
          () => app.api.post('/guardrails', { key: organization.managementKey, ...request }),
          refusal,
        );
      },
    );

    it.each(['id', 'created_at', 'updated_at', 'organization_id'])(
      'are answered 400 when the body sets %s',
      async (field) => {
        await expectRefused({ [field]: organization.workspaceId }, 'invalid_parameters', field);
      },
    );

    it('are answered 400 with a query', async () => {
      await expectNothingStored(
        () =>
          app.api.post(`/guardrails?workspace_id=${organization.workspaceId}`, {
            key: organization.managementKey,
            json: { name: 'Test' },
          }),
        { status: 400, reason: 'invalid_parameters', paths: ['workspace_id'] },
      );
    });

    it('are answered 413 from 1 MiB and one byte on, and 201 up to 1 MiB', async () => {
      const body = (size: number): string => '{"name":"Test"}'.padEnd(size);

      const answer = await app.api.post('/guardrails', { key: organization.managementKey, raw: body(1_048_576) });

      expect(answer.status).toBe(201);
      await expectNothingStored(
        () => app.api.post('/guardrails', { key: organization.managementKey, raw: body(1_048_577) }),
        bodyTooLarge(LARGE_BODY),
      );
    });
  });
});
