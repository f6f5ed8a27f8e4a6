import { Module } from '@nestjs/common';
import { Environment } from '../../../config/environment.js';
import { UpstreamAuthorization } from './upstream-authorization.js';

/** Shows providers who calls them. */
@Module({
  providers: [
    {
      provide: UpstreamAuthorization,
      useFactory: (environment: Environment) => new UpstreamAuthorization(environment),
      inject: [Environment],
    },
  ],
  exports: [UpstreamAuthorization],
})
export class CredentialsModule {}
