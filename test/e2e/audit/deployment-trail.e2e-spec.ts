import { AuditService } from '../../../src/modules/audit/audit.service.js';
import { AuditVerificationService } from '../../../src/modules/audit/audit-verification.service.js';
import { DEPLOYMENT_CHAIN } from '../../../src/modules/audit/deployment-trail.service.js';
import type { ListAuditEventsResponse } from '../../../src/modules/audit/dto/audit-event.dto.js';
import { CatalogImportService } from '../../../src/modules/catalog/import/catalog-import.service.js';
import { OwnModelsService } from '../../../src/modules/catalog/own-models/own-models.service.js';
import { EncryptionRotationService } from '../../../src/modules/encryption/encryption-rotation.service.js';
import { OrganizationsService } from '../../../src/modules/organizations/organizations.service.js';
import { ConnectionsService } from '../../../src/modules/providers/connections/connections.service.js';
import { sharedApplication } from '../../support/application/shared-application.js';
import { sharedOrganization } from '../../support/application/shared-organization.js';

const SECRET = 'sk-the-key-of-the-provider';

describe('the audit trail of the deployment', () => {
  const app = sharedApplication();
  const organization = sharedOrganization(app);

  it('has what commands do to providers, the catalog, encryption and SCIM, without secrets, in an intact chain of its own', async () => {
    const { application } = app;
    const connections = application.get(ConnectionsService);
    const content = { providers: [{ slug: 'north', name: 'North' }] };
    const event = { action: 'catalog.import' };
    const catalogImport = application.get(CatalogImportService);
    await catalogImport.import([{ source: 'a.json', content }], { event });
    await catalogImport.import([{ source: 'b.json', content }], { event, dryRun: true });
    const request = {
      provider: 'north',
      protocol: 'openai',
      baseUrl: 'https://north.example/v1',
      apiKey: SECRET,
    } as const;
    await connections.connect({ ...request, models: {}, timeouts: {} });
    await connections.disconnect('north');
    await connections.disconnect('north');
    const { organizationId } = organization;
    await application.get(OrganizationsService).enableScim(organizationId);
    await application.get(EncryptionRotationService).rotate({ dryRun: true, replaceLostKey: false });
    await application.get(EncryptionRotationService).rotate({ dryRun: false, replaceLostKey: false });
    await application.get(OwnModelsService).add({
      id: 'own/small',
      provider: 'north',
      contextLength: 8192,
      promptPrice: '0',
      completionPrice: '0',
      aliases: [],
    });

    const { data } = await application.get(AuditService).listChain(DEPLOYMENT_CHAIN, {});
    expect(data.map(({ action, target, actor }) => [action, target.id, actor.kind])).toEqual([
      ['catalog.import', '', 'command_line'],
      ['provider.connect', 'north', 'command_line'],
      ['provider.disconnect', 'north', 'command_line'],
      ['organization.enable_scim', organizationId, 'command_line'],
      ['encryption.rotate', '', 'command_line'],
      ['model.add', 'own/small', 'command_line'],
    ]);
    expect(data[0]!.changes).toMatchObject({ providers: { after: { added: ['north'] } } });
    expect(data[1]!.changes).toMatchObject({ has_api_key: { after: true }, base_url: { after: request.baseUrl } });
    expect(JSON.stringify(data)).not.toContain(SECRET);
    const report = await application.get(AuditVerificationService).tryToVerify(DEPLOYMENT_CHAIN, []);
    expect(report).toMatchObject({ events: String(data.length), issues: [] });
  });

  it('is shown to no organization, which sees only what concerns it', async () => {
    const { body } = await app.api.get<ListAuditEventsResponse>('/audit-events?limit=100', {
      key: organization.managementKey,
    });
    const actions = body.data.map(({ action }) => action);
    expect(actions).toContain('organization.enable_scim');
    expect(actions.filter((action) => /^(?:provider|catalog|encryption|model)\./.test(action))).toEqual([]);
  });
});
