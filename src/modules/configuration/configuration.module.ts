import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/audit.module.js';
import { EncryptionModule } from '../encryption/encryption.module.js';
import { OrganizationsModule } from '../organizations/organizations.module.js';
import { OrganizationsService } from '../organizations/organizations.service.js';
import { ConfigurationController } from './configuration.controller.js';
import { ConfigurationRepository } from './configuration.repository.js';
import { ConfigurationService } from './configuration.service.js';
import { AppliedPlanEntity } from './entities/applied-plan.entity.js';
import { ConfigurationTurnEntity } from './entities/configuration-turn.entity.js';
import { ManagedObjectEntity } from './entities/managed-object.entity.js';
import { ManagedObjects } from '../../http/managed-objects/managed-objects.js';
import { ConfiguredKinds } from './kinds/configured-kinds.js';
import { ObjectsOfWorkspace } from './kinds/objects-of-workspace.js';
import { ConfigurationReconciler } from './reconciliation/configuration-reconciler.service.js';
import { ConfigurationTurnsRepository } from './reconciliation/configuration-turns.repository.js';
import { ManagedObjectsGauge } from './reconciliation/managed-objects-gauge.service.js';

/** Configuration by files (docs/configuration.md). The modules of the objects import it, and add their kinds. */
@Global()
@Module({
  imports: [
    TypeOrmModule.forFeature([AppliedPlanEntity, ConfigurationTurnEntity, ManagedObjectEntity]),
    AuditModule,
    EncryptionModule,
    OrganizationsModule,
  ],
  controllers: [ConfigurationController],
  providers: [
    ConfigurationReconciler,
    ConfigurationRepository,
    ConfigurationService,
    ConfigurationTurnsRepository,
    ConfiguredKinds,
    ManagedObjectsGauge,
    ObjectsOfWorkspace,
    { provide: ManagedObjects, useExisting: ConfigurationRepository },
  ],
  exports: [
    ConfigurationReconciler,
    ConfigurationRepository,
    ConfigurationService,
    ConfiguredKinds,
    ManagedObjects,
    ManagedObjectsGauge,
  ],
})
export class ConfigurationModule {
  constructor(kinds: ConfiguredKinds, organizations: OrganizationsService) {
    kinds.addNames({
      to: 'members',
      list: async ({ caller }) => {
        const members = await organizations.membersOf(caller.organizationId);
        // An account of a service has no address.
        return members.map(({ userId, name, email }) => ({
          id: userId,
          name: [email, name].find((text) => text !== null && text !== '') ?? userId,
        }));
      },
    });
  }
}
