import 'reflect-metadata';
import { Controller, type DynamicModule, Get, Module, Post, type Type } from '@nestjs/common';
import { PATH_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService, MetadataScanner, NestFactory } from '@nestjs/core';
import { AppModule } from '../../src/app.module.js';
import { Authenticated, AUTHENTICATION_METADATA, PERMISSION_METADATA } from '../../src/auth/authenticated.decorator.js';
import { DeclaredRoutes } from '../../src/auth/declared-routes.js';
import type { CredentialKind } from '../../src/auth/principal.js';
import { ClientMetadataController } from '../../src/modules/mcp-servers/authorization/client-metadata.controller.js';
import { HealthController } from '../../src/http/health/health.controller.js';
import { ConsentController } from '../../src/modules/oauth/consent/consent.controller.js';
import { ConfirmationController } from '../../src/modules/alerts/recipients/confirmation.controller.js';
import { operationOf } from '../../src/http/openapi/operation.decorator.js';
import { BackChannelLogoutController } from '../../src/modules/sign-in/back-channel/back-channel-logout.controller.js';
import { LinkingController } from '../../src/modules/sign-in/linking/linking.controller.js';
import { SignInLinkController } from '../../src/modules/sign-in/links/sign-in-link.controller.js';
import { SignInController } from '../../src/modules/sign-in/oidc/sign-in.controller.js';
import { SignOutController } from '../../src/modules/sign-in/sessions/sign-out.controller.js';
import { ServiceLogger } from '../../src/telemetry/logging/service-logger.js';
import { Public } from '../../src/http/public.decorator.js';
import { OPERATIONS } from '../operations/operations.js';
import { interfaceOf } from '../support/openapi/described-operations.js';
import { sharedApplication } from '../support/application/shared-application.js';

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
  @Authenticated(['management_key'], 'none')
  closed(): string {
    return 'nobody';
  }
}

@Authenticated(['management_key'], 'none')
@Controller('declared-once')
class ControllerWithCallers {
  @Get('inherited')
  withCallersOfController(): string {
    return 'for management keys';
  }

  @Get('own')
  @Authenticated(['api_key'])
  withCallersOfItsOwn(): string {
    return 'for API keys';
  }
}

@Controller('without-permission')
class ControllerWithoutPermission {
  @Get()
  @Authenticated(['management_key'])
  open(): string {
    return 'nobody';
  }
}

@Authenticated(['management_key'], 'guardrails')
@Controller('of-an-area')
class ControllerOfArea {
  @Get()
  reads(): string {
    return 'with guardrails_read';
  }

  @Post()
  writes(): string {
    return 'with guardrails_write';
  }

  @Post('named')
  @Authenticated(['management_key'], 'audit_read')
  names(): string {
    return 'with audit_read';
  }
}

@Controller('apart')
@Public()
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
  const app = sharedApplication();

  /** Starts an application that has one more controller, and stops it again. */
  const startWith = async (controller: Type): Promise<void> => {
    const logger = new ServiceLogger('silent');
    const module: DynamicModule = {
      module: ExtendedModule,
      imports: [AppModule.forRoot({ environment: app.environment, databaseUrl: app.database.url, logger })],
      controllers: [controller],
    };
    const application = await NestFactory.create(module, { logger, abortOnError: false });
    try {
      await application.init();
    } finally {
      await application.close();
    }
  };

  it('are all found by this test, in every module', () => {
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
      ConfirmationController.name,
      ClientMetadataController.name,
      ConsentController.name,
      ConsentController.name,
      BackChannelLogoutController.name,
      SignInLinkController.name,
      SignInLinkController.name,
      SignInController.name,
      SignInController.name,
      SignInController.name,
      LinkingController.name,
      LinkingController.name,
      LinkingController.name,
      SignOutController.name,
    ]);
  });

  it('have each a row in the table of operations, with their method, path, callers and permission', async () => {
    const { operations } = await interfaceOf(app.application);
    const withoutRow = operations.filter(({ operationId }) => OPERATIONS[operationId] === undefined);
    expect(
      withoutRow.map(({ operationId }) => `${operationId} has no row in test/operations: add one to its module's file`),
    ).toEqual([]);
    const documented = operations.map(({ operationId, method, path, credentials, permission }) => [
      operationId,
      { method, path, callers: credentials, permission },
    ]);
    const rows = Object.entries(OPERATIONS).map(([id, { method, path, callers, permission }]) => [
      id,
      { method, path, callers, permission },
    ]);
    expect(Object.fromEntries(documented)).toEqual(Object.fromEntries(rows));
  });

  it('accept exactly the callers of the table of operations', () => {
    const routes = app.application.get(DeclaredRoutes, { strict: false }).all();
    const enforced = routes
      .filter(({ isOperation, handler }) => isOperation && operationOf(handler)?.needsNoCredential !== true)
      .filter(({ handler }) => operationOf(handler)?.isDocumented !== false)
      .map(({ method, handler }) => [
        method,
        Reflect.getMetadata(AUTHENTICATION_METADATA, handler) as CredentialKind[],
      ]);
    const open = routes.filter(({ handler }) => operationOf(handler)?.needsNoCredential === true);
    expect(open.map(({ method }) => method).sort()).toEqual(['createOauthToken', 'listOauthJwks']);

    const rows = Object.entries(OPERATIONS).map(([operationId, { callers }]) => [operationId, callers]);
    expect(Object.fromEntries(enforced)).toEqual(Object.fromEntries(rows));
  });

  it('accept provisioning tokens only in the interface for directories, which describes itself, as that for clients of tools does', () => {
    const routes = app.application.get(DeclaredRoutes, { strict: false }).all();
    const undocumented = routes.filter(({ handler }) => operationOf(handler)?.isDocumented === false);

    expect(new Set(undocumented.map(({ controller }) => controller))).toEqual(
      new Set(['McpController', 'ProvisionedGroupsController', 'ScimDiscoveryController', 'ScimUsersController']),
    );
    for (const { controller, handler } of undocumented) {
      const callers = controller === 'McpController' ? ['api_key'] : ['provisioning_token'];
      expect(Reflect.getMetadata(AUTHENTICATION_METADATA, handler)).toEqual(callers);
    }
  });

  it('have the callers of their controller, unless they declare their own', () => {
    const callersOf = (method: 'withCallersOfController' | 'withCallersOfItsOwn'): unknown =>
      Reflect.getMetadata(AUTHENTICATION_METADATA, ControllerWithCallers.prototype[method]);

    expect([callersOf('withCallersOfController'), callersOf('withCallersOfItsOwn')]).toEqual([
      ['management_key'],
      ['api_key'],
    ]);
  });

  it('without declared callers keep the application from starting', async () => {
    await expect(startWith(ForgottenController)).rejects.toThrow(
      'ForgottenController.open does not say who may call it: add @Authenticated',
    );
  });

  it('that take management keys and name no permission keep the application from starting', async () => {
    await expect(startWith(ControllerWithoutPermission)).rejects.toThrow(
      'ControllerWithoutPermission.open takes management keys and names no permission: add it to @Authenticated',
    );
  });

  it('need the permission to read of their area for GET and that to write for every other method', () => {
    const permissionOf = (method: 'reads' | 'writes' | 'names'): unknown =>
      Reflect.getMetadata(PERMISSION_METADATA, ControllerOfArea.prototype[method]);

    expect([permissionOf('reads'), permissionOf('writes'), permissionOf('names')]).toEqual([
      'guardrails_read',
      'guardrails_write',
      'audit_read',
    ]);
  });

  it('with declared callers, or outside the interface, let the application start', async () => {
    await expect(startWith(DeclaredController)).resolves.toBeUndefined();
    await expect(startWith(ControllerWithCallers)).resolves.toBeUndefined();
    await expect(startWith(ApartController)).resolves.toBeUndefined();
  });
});
