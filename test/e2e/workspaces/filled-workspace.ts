import type { NewOrganization } from '../../../src/modules/installation/installation.service.js';
import { DESTINATION_SAMPLES } from '../../support/resources/destination-samples.js';
import type { TestApplication } from '../../support/application/test-application.js';

/** What is in a workspace that has one of everything but active keys. */
export interface FilledWorkspace {
  readonly id: string;
  readonly slug: string;
  /** Hashes in hex. */
  readonly disabledKey: string;
  readonly expiredKey: string;
}

/** Puts one of everything into a workspace that can be deleted. */
export async function fillWorkspace(
  app: TestApplication,
  organization: NewOrganization,
  id: string,
  slug: string,
): Promise<FilledWorkspace> {
  const { factory } = app;
  const { organizationId, managementKey: key } = organization;
  const send = async (method: string, path: string, json: object): Promise<{ data: { id: string } }> => {
    const answer = await app.api.send<{ data: { id: string } }>(method, path, { key, json });
    expect({ status: answer.status < 300, text: answer.text }).toEqual({ status: true, text: answer.text });
    return answer.body;
  };
  const post = (path: string, json: object): Promise<{ data: { id: string } }> => send('POST', path, json);
  const memberId = await factory.member(organizationId);
  if (id !== organization.workspaceId) await factory.workspaceMember(organizationId, id, memberId, 'member');
  for (const [index, interval] of (['daily', 'weekly', 'monthly', 'lifetime'] as const).entries()) {
    await factory.budget(organizationId, id, interval, 10 ** index);
  }
  const { data: guardrail } = await post('/guardrails', { name: 'Guardrail', workspace_id: id });
  await send('PATCH', `/guardrails/${await defaultGuardrailOf(app, id)}`, { description: 'Default' });
  await factory.preset(organization, id, 'preset', [{ temperature: 0 }, { temperature: 1 }]);
  const { config } = DESTINATION_SAMPLES.langfuse;
  await factory.destination({ ...organization, workspaceId: id }, 'langfuse', config);
  await factory.providerKey({ ...organization, workspaceId: id }, 'openai', `sk-of-${slug}`);
  await factory.enableScim(organization);
  const group = await factory.scimGroup(organization);
  await factory.scimMapping(organization, group, id);
  const [disabled, expired] = [
    await factory.key(organization, { workspaceId: id }),
    await factory.key(organization, { workspaceId: id, expiresAt: new Date(0) }),
  ];
  await post(`/guardrails/${guardrail.id}/assignments/keys`, { key_hashes: [disabled.hash] });
  await post(`/guardrails/${guardrail.id}/assignments/members`, { member_user_ids: [memberId] });
  await app.rows('UPDATE api_keys SET disabled = true WHERE id = $1', [disabled.id]);
  await app.rows(
    `INSERT INTO key_spend (organization_id, key_id, day, amount_usd, byok_amount_usd) VALUES ($1, $2, current_date, 1, 0)`,
    [organizationId, disabled.id],
  );
  await post('/auth/keys/code', { callback_url: 'https://app.example.com/callback', workspace_id: id });
  return { id, slug, disabledKey: disabled.hash, expiredKey: expired.hash };
}

async function defaultGuardrailOf(app: TestApplication, id: string): Promise<string> {
  const [row] = await app.rows<{ default_guardrail_id: string }>(
    'SELECT default_guardrail_id FROM workspaces WHERE id = $1',
    [id],
  );
  return row!.default_guardrail_id;
}
