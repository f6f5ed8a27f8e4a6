import { sharedApplication } from '../../support/application/shared-application.js';
import type { CreateGuardrailResponse } from '../../../src/modules/guardrails/dto/guardrail.dto.js';
import { CATALOG_TABLES, catalogChecks } from './catalog-checks.js';
import { sharedOrganization } from '../../support/application/shared-organization.js';

export const NOTHING = { added: [], changed: [], retired: [], wouldRetire: [], unchanged: 0 };

/** An empty catalog for each test of the import, and what the tests look at. */
export function catalogImports() {
  const app = sharedApplication({ topic: 'catalog-imports' });
  const organization = sharedOrganization(app);

  beforeEach(() => app.rows(`TRUNCATE ${CATALOG_TABLES.join(', ')}`));

  const { model, idOf, expectNoModel, imageModels, snapshot, faultsOf } = catalogChecks(() => ({ app, organization }));

  /** The models of a guardrail that allows these names. */
  const allowed = async (...names: string[]): Promise<string[] | null | undefined> => {
    const json = { name: 'Guardrail', allowed_models: names };
    const answer = await app.api.post<CreateGuardrailResponse>('/guardrails', {
      key: organization.managementKey,
      json,
    });
    expect(answer.status).toBe(201);
    return answer.body.data.allowed_models;
  };

  return { app, organization, model, snapshot, imageModels, idOf, expectNoModel, faultsOf, allowed };
}
