import { Module } from '@nestjs/common';
import { Environment } from '../../../config/environment.js';
import { UpstreamAuthorization } from './upstream-authorization.js';

/** Shows providers who calls them. */
@Module({
  providers: [
    {
      provide: UpstreamAuthorization,
      useFactory: ({ clouds }: Environment) => new UpstreamAuthorization(clouds),
      inject: [Environment],
    },
  ],
  exports: [UpstreamAuthorization],
})
export class CredentialsModule {}
