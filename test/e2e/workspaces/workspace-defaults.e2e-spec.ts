import type { Workspace } from '../../../src/modules/workspaces/dto/workspace.dto.js';
import { modelEntry, replaceCatalog } from '../../support/resources/catalog-entries.js';
import { newWorkspace } from '../../support/resources/workspaces.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { workspaceUpdate } from './workspace-update.js';

const MODEL_FIELDS = ['default_text_model', 'default_image_model'] as const;

describe('the defaults of a workspace', () => {
  const { app, organization, make, changed, expectRefused } = workspaceUpdate();

  const fill = (): Promise<unknown> =>
    replaceCatalog(app, {
      models: [modelEntry('acme/writer'), modelEntry('acme/writer:free'), modelEntry('acme/painter')],
      aliases: [{ alias: 'acme/latest', model: 'acme/writer' }],
    });

  /** A workspace with defaults that were taken before any check. */
  const unchecked = async (): Promise<Workspace> => {
    const { id } = await make();
    await app.rows(
      `UPDATE workspaces SET default_text_model = 'acme/gone', default_image_model = 'acme/gone', default_provider_sort = 'cheapest'
        WHERE id = $1`,
      [id],
    );
    const { body } = await app.api.get<{ data: Workspace }>(`/workspaces/${id}`, { key: organization.managementKey });
    return body.data;
  };

  it.each(MODEL_FIELDS)('answers 200 to every name of %s while there is no catalog', async (field) => {
    expect((await changed((await make()).id, { [field]: 'acme/later' }))[field]).toBe('acme/later');
  });

  it.each(
    MODEL_FIELDS.flatMap((field) =>
      ['acme/writer', 'ACME/Writer', 'acme/writer:free', 'acme/writer:nitro', 'acme/latest', 'painter'].map((name) => [
        field,
        name,
      ]),
    ),
  )('answers 200 to %s: "%s", which inference knows', async (field, name) => {
    await fill();
    expect(await changed((await make()).id, { [field]: name })).toMatchObject({ [field]: name });
  });

  it.each(MODEL_FIELDS)('answers 400 to another model as %s, which changes nothing', async (field) => {
    await fill();
    const workspace = await make();
    for (const name of ['acme/nothing', 'acme/writer:surprise', '']) {
      await expectRefused(
        workspace,
        { [field]: name, name: 'New' },
        { status: 400, reason: 'unknown_model', paths: [field] },
      );
    }
  });

  it.each(['price', 'throughput', 'latency', 'exacto'])('answers 200 to %s as the order of providers', async (sort) => {
    expect((await changed((await make()).id, { default_provider_sort: sort })).default_provider_sort).toBe(sort);
  });

  it('answers 400 to another order of providers, and says which there are', async () => {
    const workspace = await make();
    const refusal = { status: 400, reason: 'invalid_parameters', paths: ['default_provider_sort'] };
    await expectRefused(workspace, { default_provider_sort: 'cheapest' }, refusal);

    const json = { name: 'Cheap', slug: 'cheap', default_provider_sort: 'cheapest' };
    const answer = await app.api.post('/workspaces', { key: organization.managementKey, json });
    expectRefusal(answer, { ...refusal, userId: organization.userId });
    expect(answer.text).toContain('price, throughput');
  });

  it('answers 400 to all of them together when a workspace is created', async () => {
    await fill();
    const defaults = { default_text_model: 'a/b', default_image_model: 'c/d', default_provider_sort: 'e' };
    const json = { name: 'None', slug: 'none', ...defaults };
    const answer = await app.api.post('/workspaces', { key: organization.managementKey, json });

    const refusal = { status: 400, reason: 'invalid_parameters', paths: Object.keys(defaults) };
    expectRefusal(answer, { ...refusal, userId: organization.userId });
    expect((await newWorkspace(app, organization, 'none', { default_text_model: 'acme/writer' })).slug).toBe('none');
  });

  it('answers 200 to other changes of a workspace whose defaults are not known, with those sent back or left out', async () => {
    await fill();
    const { id, default_text_model: text, default_image_model: image, default_provider_sort: sort } = await unchecked();
    expect([text, image, sort]).toEqual(['acme/gone', 'acme/gone', 'cheapest']);

    expect(await changed(id, { name: 'Renamed' })).toMatchObject({ name: 'Renamed', default_text_model: 'acme/gone' });
    const same = { default_text_model: text, default_image_model: image, default_provider_sort: sort };
    expect(await changed(id, { ...same, description: 'Kept' })).toMatchObject({ ...same, description: 'Kept' });
    expect(await changed(id, { default_provider_sort: null })).toMatchObject({ default_provider_sort: null });
  });
});
