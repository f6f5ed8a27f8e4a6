import type { ListImageModelsResponse } from '../../../src/modules/catalog/dto/image-model.dto.js';
import type { ModelResponse } from '../../../src/modules/catalog/dto/model.dto.js';
import { InvalidCatalog } from '../../../src/modules/catalog/import/invalid-catalog.js';
import type { NewOrganization } from '../../../src/modules/installation/installation.service.js';
import type { Answer } from '../../support/network/api-client.js';
import { dryRunCatalog, importCatalog } from '../../support/resources/catalog-entries.js';
import { expectToFitContract } from '../../support/contract/contract-answers.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import type { TestApplication } from '../../support/application/test-application.js';

/** The tables of the catalog. */
export const CATALOG_TABLES = ['providers', 'models', 'model_names', 'image_endpoints', 'model_endpoints'];

/** What asks a catalog, and checks the answers. */
export interface CatalogChecks {
  model(name: string, through?: TestApplication): Promise<Answer<ModelResponse>>;
  /** The id of the model that a name leads to. */
  idOf(name: string): Promise<string>;
  expectNoModel(name: string): Promise<void>;
  imageModels(through?: TestApplication): Promise<ListImageModelsResponse['data']>;
  /** Everything that the catalog holds. */
  snapshot(): Promise<Record<string, unknown>>;
  /** What an import is refused for; checks that it changes nothing, and that a dry run is refused for the same. */
  faultsOf(...contents: unknown[]): Promise<readonly string[]>;
}

/** @param of the application and the organization whose key asks, once they are there */
export function catalogChecks(of: () => { app: TestApplication; organization: NewOrganization }): CatalogChecks {
  const model = (name: string, through = of().app): Promise<Answer<ModelResponse>> =>
    through.api.get(`/model/${name}`, { key: of().organization.managementKey });

  const idOf = async (name: string): Promise<string> => {
    const answer = await model(name);
    expect(answer.status).toBe(200);
    return answer.body.data.id;
  };

  const expectNoModel = async (name: string): Promise<void> => {
    expectRefusal(await model(name), { status: 404, reason: 'model_not_found', userId: of().organization.userId });
  };

  const imageModels = async (through = of().app): Promise<ListImageModelsResponse['data']> => {
    const answer = await through.api.get<ListImageModelsResponse>('/images/models', {
      key: of().organization.managementKey,
    });
    expect(answer.status).toBe(200);
    expectToFitContract('listImageModels', 200, answer.body);
    return answer.body.data;
  };

  /** Everything that the catalog holds. */
  const snapshot = async (): Promise<Record<string, unknown>> => {
    const tables: Record<string, unknown> = {};
    for (const table of CATALOG_TABLES) {
      tables[table] = await of().app.rows(`SELECT to_jsonb(t) AS row FROM ${table} t ORDER BY to_jsonb(t)::text`);
    }
    return tables;
  };

  const faultsOf = async (...contents: unknown[]): Promise<readonly string[]> => {
    const before = await snapshot();
    const thrown: unknown = await importCatalog(of().app, ...contents).catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(InvalidCatalog);
    expect(await snapshot()).toEqual(before);
    const dryThrown: unknown = await dryRunCatalog(of().app, ...contents).catch((error: unknown) => error);
    expect(dryThrown).toEqual(thrown);
    return (thrown as InvalidCatalog).issues;
  };

  return { model, idOf, expectNoModel, imageModels, snapshot, faultsOf };
}
