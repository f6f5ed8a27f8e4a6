import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { APP_GUARD, DiscoveryModule } from '@nestjs/core';
import { AuthenticationGuard } from './authentication.guard.js';
import { DeclaredRoutes } from './declared-routes.js';

/** Authentication of every request. */
@Module({})
export class AuthModule {
  /**
   * @param credentialModule the module that exports the {@link CredentialResolver}
   * @param sessionModule the module that exports the {@link SessionResolver}
   */
  static register(credentialModule: Type, sessionModule: Type): DynamicModule {
    return {
      module: AuthModule,
      imports: [credentialModule, sessionModule, DiscoveryModule],
      providers: [{ provide: APP_GUARD, useClass: AuthenticationGuard }, DeclaredRoutes],
      exports: [DeclaredRoutes],
    };
  }
}
