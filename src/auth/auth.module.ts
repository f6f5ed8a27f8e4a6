import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { APP_GUARD, DiscoveryModule } from '@nestjs/core';
import { AuthenticationGuard } from './authentication.guard.js';
import { DeclaredRoutes } from './declared-routes.js';

/** Authentication of every request. */
@Module({})
export class AuthModule {
  /** @param resolverModule the module that exports the {@link CredentialResolver} */
  static register(resolverModule: Type): DynamicModule {
    return {
      module: AuthModule,
      imports: [resolverModule, DiscoveryModule],
      providers: [{ provide: APP_GUARD, useClass: AuthenticationGuard }, DeclaredRoutes],
      exports: [DeclaredRoutes],
    };
  }
}
