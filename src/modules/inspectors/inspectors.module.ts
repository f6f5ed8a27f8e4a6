import { Module } from '@nestjs/common';
import { ConfigurationModule } from '../configuration/configuration.module.js';
import { InspectorsConfiguration } from './inspectors.configuration.js';

import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/audit.module.js';
import { CatalogModule } from '../catalog/catalog.module.js';
import { EncryptionModule } from '../encryption/encryption.module.js';
import { ObservabilityModule } from '../observability/observability.module.js';
import { OrganizationsModule } from '../organizations/organizations.module.js';
import { CredentialsModule } from '../providers/credentials/credentials.module.js';
import { InspectorEntity } from './entities/inspector.entity.js';
import { EncryptedInspectorSecrets } from './inspector-secrets.js';
import { InspectorsInForce } from './inspectors-in-force.service.js';
import { InspectorsController } from './inspectors.controller.js';
import { InspectorsRepository } from './inspectors.repository.js';
import { InspectorsService } from './inspectors.service.js';
import { InspectorJudge } from './judging/inspector-judge.js';

/** Servers that judge texts of organizations (docs/interface/inspectors.md). */
@Module({
  imports: [
    ConfigurationModule,
    TypeOrmModule.forFeature([InspectorEntity]),
    AuditModule,
    CatalogModule,
    CredentialsModule,
    EncryptionModule,
    ObservabilityModule,
    OrganizationsModule,
  ],
  controllers: [InspectorsController],
  providers: [
    InspectorsConfiguration,
    EncryptedInspectorSecrets,
    InspectorJudge,
    InspectorsInForce,
    InspectorsRepository,
    InspectorsService,
  ],
  exports: [InspectorJudge, InspectorsInForce],
})
export class InspectorsModule {}
