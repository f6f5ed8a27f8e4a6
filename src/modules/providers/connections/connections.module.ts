import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../../audit/audit.module.js';
import { CatalogModule } from '../../catalog/catalog.module.js';
import { EncryptionModule } from '../../encryption/encryption.module.js';
import { CredentialsModule } from '../credentials/credentials.module.js';
import { ConnectionKeys } from './connection-keys.js';
import { ConnectionTestService } from './connection-test.service.js';
import { ConnectionsRepository } from './connections.repository.js';
import { ConnectionsService } from './connections.service.js';
import { ProviderConnectionEditionEntity, ProviderConnectionEntity } from '../entities/provider-connection.entity.js';
import { ProviderConnections } from './provider-connections.js';

/** The connections of the deployment to providers. */
@Module({
  imports: [
    TypeOrmModule.forFeature([ProviderConnectionEditionEntity, ProviderConnectionEntity]),
    AuditModule,
    CatalogModule,
    CredentialsModule,
    EncryptionModule,
  ],
  providers: [ConnectionKeys, ConnectionTestService, ConnectionsRepository, ConnectionsService, ProviderConnections],
  exports: [ConnectionTestService, ConnectionsService, ProviderConnections],
})
export class ConnectionsModule {}
