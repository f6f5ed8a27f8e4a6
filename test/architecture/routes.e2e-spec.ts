import 'reflect-metadata';
import { Controller, type DynamicModule, Get, Module, type Type } from '@nestjs/common';
import { PATH_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService, MetadataScanner, NestFactory } from '@nestjs/core';
import { AppModule } from '../../src/app.module.js';
import { AUTHENTICATION_METADATA, Authenticated } from '../../src/auth/authenticated.decorator.js';
import { DeclaredRoutes } from '../../src/auth/declared-routes.js';
import type { CredentialKind } from '../../src/auth/principal.js';
import { HealthController } from '../../src/http/health/health.controller.js';
import { ServiceLogger } from '../../src/http/logging/service-logger.js';
import { NotAnOperation } from '../../src/http/not-an-operation.decorator.js';
import { interfaceOf } from '../support/operations.js';
import { TestApplication } from '../support/test-application.js';

/** Who may call what (DECISIONS.md, section 3). */
const CALLERS: Readonly<Record<string, readonly CredentialKind[]>> = {
  bulkAddWorkspaceMembers: ['management_key'],
  bulkAssignKeysToGuardrail: ['management_key'],
  bulkAssignMembersToGuardrail: ['management_key'],
  bulkRemoveWorkspaceMembers: ['management_key'],
  bulkUnassignKeysFromGuardrail: ['management_key'],
  bulkUnassignMembersFromGuardrail: ['management_key'],
  createAuthKeysCode: ['management_key'],
  createConnectClient: ['management_key'],
  createGuardrail: ['management_key'],
  createKeys: ['management_key'],
  createObservabilityDestination: ['management_key'],
  createPresetsChatCompletions: ['management_key'],
  createScimGroupMapping: ['management_key'],
  createWorkspace: ['management_key'],
  deleteConnectClient: ['management_key'],
  deleteGuardrail: ['management_key'],
  deleteKeys: ['management_key', 'client_secret'],
  deleteObservabilityDestination: ['management_key'],
  deleteScimGroupMapping: ['management_key'],
  deleteWorkspace: ['management_key'],
  deleteWorkspaceBudget: ['management_key'],
  exchangeAuthCodeForAPIKey: ['management_key', 'api_key', 'client_secret'],
  getConnectClient: ['management_key'],
  getCurrentKey: ['management_key', 'api_key'],
  getEffectiveGuardrails: ['management_key'],
  getGuardrail: ['management_key'],
  getKey: ['management_key'],
  getModel: ['management_key', 'api_key'],
  getModels: ['management_key', 'api_key'],
  getObservabilityDestination: ['management_key'],
  getPreset: ['management_key', 'api_key'],
  getPresetVersion: ['management_key', 'api_key'],
  getScimGroupMapping: ['management_key'],
  getWorkspace: ['management_key'],
  getWorkspaceBudget: ['management_key'],
  list: ['management_key'],
  listAuditEvents: ['management_key'],
  listConnectClients: ['management_key'],
  listEndpoints: ['management_key', 'api_key'],
  listEndpointsZdr: ['management_key', 'api_key'],
  listGuardrailKeyAssignments: ['management_key'],
  listGuardrailMemberAssignments: ['management_key'],
  listGuardrails: ['management_key'],
  listImageModelEndpoints: ['management_key', 'api_key'],
  listImageModels: ['management_key', 'api_key'],
  listKeyAssignments: ['management_key'],
  listMemberAssignments: ['management_key'],
  listModelsCount: ['management_key', 'api_key'],
  listObservabilityDestinations: ['management_key'],
  listModelsUser: ['management_key', 'api_key'],
  listOrganizationMembers: ['management_key'],
  listPresetVersions: ['management_key', 'api_key'],
  listPresets: ['management_key', 'api_key'],
  listProviders: ['management_key', 'api_key'],
  listScimGroupMappings: ['management_key'],
  listScimGroups: ['management_key'],
  listWorkspaceBudgets: ['management_key'],
  listWorkspaceMembers: ['management_key'],
  listWorkspaces: ['management_key'],
  rotateConnectClientSecret: ['management_key'],
  rotateKey: ['management_key'],
  updateGuardrail: ['management_key'],
  updateKeys: ['management_key'],
  updateObservabilityDestination: ['management_key'],
  updateScimGroupMapping: ['management_key'],
  updateWorkspace: ['management_key'],
  upsertWorkspaceBudget: ['management_key'],
};

@Controller('forgotten')
class ForgottenController {
  @Get()
  open(): string {
    return 'anybody';
  }
}

@Controller('declared')
class DeclaredController {
  @Get()
  @Authenticated('management_key')
  closed(): string {
    return 'nobody';
  }
}

@Controller('apart')
@NotAnOperation()
class ApartController {
  @Get()
  open(): string {
    return 'anybody';
  }
}

/** The application with one more controller. */
@Module({})
class ExtendedModule {}

describe('routes', () => {
  let app: TestApplication;

  beforeAll(async () => {
    app = await TestApplication.start();
  });

  afterAll(() => app.stop());

  /** Starts an application that has one more controller, and stops it again. */
  const startWith = async (controller: Type): Promise<void> => {
    const logger = new ServiceLogger('silent');
    const module: DynamicModule = {
      module: ExtendedModule,
      imports: [AppModule.with({ environment: app.environment, databaseUrl: app.database.url, logger })],
      controllers: [controller],
    };
    const application = await NestFactory.create(module, { logger, abortOnError: false });
    try {
      await application.init();
    } finally {
      await application.close();
    }
  };

  it('are all known to the check, whichever module has them', () => {
    const discovery = app.application.get(DiscoveryService, { strict: false });
    const scanner = new MetadataScanner();
    const handlers = discovery.getControllers().flatMap(({ metatype }) => {
      const prototype = (metatype as Type).prototype as Record<string, object>;
      return scanner
        .getAllMethodNames(prototype)
        .filter((name) => Reflect.hasMetadata(PATH_METADATA, prototype[name]!))
        .map((name) => `${(metatype as Type).name}.${name}`);
    });
    const routes = app.application.get(DeclaredRoutes, { strict: false }).all();

    expect(routes.map(({ controller, method }) => `${controller}.${method}`).sort()).toEqual(handlers.sort());
    expect(routes.filter(({ isOperation }) => !isOperation).map(({ controller }) => controller)).toEqual([
      HealthController.name,
      HealthController.name,
    ]);
  });

  it('say who may call them, in what is enforced and what is documented alike', () => {
    const operations = app.application
      .get(DeclaredRoutes, { strict: false })
      .all()
      .filter(({ isOperation }) => isOperation);
    const enforced = operations.map(({ method, handler }) => [
      method,
      Reflect.getMetadata(AUTHENTICATION_METADATA, handler) as CredentialKind[],
    ]);
    const documented = interfaceOf(app.application).operations.map(({ operationId, credentials }) => [
      operationId,
      credentials,
    ]);

    expect(Object.fromEntries(enforced)).toEqual(CALLERS);
    expect(Object.fromEntries(documented)).toEqual(CALLERS);
  });

  it('that do not say so keep the application from starting', async () => {
    await expect(startWith(ForgottenController)).rejects.toThrow(
      'ForgottenController.open does not say who may call it: add @Authenticated',
    );
  });

  it('that do say so, or are no operation, do not', async () => {
    await expect(startWith(DeclaredController)).resolves.toBeUndefined();
    await expect(startWith(ApartController)).resolves.toBeUndefined();
  });
});
