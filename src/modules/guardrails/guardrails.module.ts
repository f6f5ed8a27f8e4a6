import { ConstraintErrors } from '../../http/errors/constraint-errors.js';
import { GUARDRAILS_CONSTRAINT_ERRORS } from './guardrails.errors.js';
import { Module } from '@nestjs/common';
import { ConfigurationModule } from '../configuration/configuration.module.js';
import { GuardrailsConfiguration } from './guardrails.configuration.js';
import { DefaultGuardrailsConfiguration } from './default-guardrails.configuration.js';

import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/audit.module.js';
import { CatalogModule } from '../catalog/catalog.module.js';
import { KeysModule } from '../keys/keys.module.js';
import { ConnectionsModule } from '../providers/connections/connections.module.js';
import { OwnKeysModule } from '../providers/own-keys/own-keys.module.js';
import { ProviderClientsModule } from '../providers/clients/provider-clients.module.js';
import { OrganizationsModule } from '../organizations/organizations.module.js';
import { WorkspacesModule } from '../workspaces/workspaces.module.js';
import { AssignmentsController } from './assignments/assignments.controller.js';
import { AssignmentsRepository } from './assignments/assignments.repository.js';
import { AssignmentsService } from './assignments/assignments.service.js';
import { ReplacedGuardrails } from './assignments/replaced-guardrails.js';
import {
  CurrentKeyController,
  EffectiveGuardrailsController,
  UserModelsController,
} from './effective-policy/effective-policy.controller.js';
import { EffectiveGuardrailsRepository } from './effective-policy/effective-guardrails.repository.js';
import { AvailableModels } from './effective-policy/available-models.js';
import { EffectiveGuardrailsService } from './effective-policy/effective-guardrails.service.js';
import { EffectivePolicies } from './effective-policy/effective-policies.service.js';
import {
  GuardrailEntity,
  GuardrailKeyAssignmentEntity,
  GuardrailMemberAssignmentEntity,
  MemberGuardrailEntity,
} from './entities/guardrail.entity.js';
import { GuardrailReferences } from './guardrail-references.js';
import { GuardrailsController } from './guardrails.controller.js';
import { GuardrailsRepository } from './guardrails.repository.js';
import { GuardrailModelsOfKeys } from './effective-policy/models-of-keys.service.js';
import { GuardrailsService } from './guardrails.service.js';
import { PatternCompiler, PatternRule } from './content-filters/pattern-rule.js';

/** Guardrails. */
@Module({
  imports: [
    ConfigurationModule,
    TypeOrmModule.forFeature([
      GuardrailEntity,
      GuardrailKeyAssignmentEntity,
      GuardrailMemberAssignmentEntity,
      MemberGuardrailEntity,
    ]),
    AuditModule,
    WorkspacesModule,
    CatalogModule,
    ConnectionsModule,
    KeysModule,
    OrganizationsModule,
    OwnKeysModule,
    ProviderClientsModule,
  ],
  // Order matters: `/guardrails/effective` and `/guardrails/assignments` must be registered before `/guardrails/:id`.
  controllers: [
    AssignmentsController,
    EffectiveGuardrailsController,
    GuardrailsController,
    CurrentKeyController,
    UserModelsController,
  ],
  providers: [
    GuardrailsConfiguration,
    DefaultGuardrailsConfiguration,
    GuardrailModelsOfKeys,
    AssignmentsRepository,
    AssignmentsService,
    AvailableModels,
    EffectiveGuardrailsRepository,
    EffectiveGuardrailsService,
    EffectivePolicies,
    GuardrailReferences,
    GuardrailsRepository,
    GuardrailsService,
    PatternCompiler,
    PatternRule,
    ReplacedGuardrails,
  ],
  exports: [EffectiveGuardrailsService, EffectivePolicies, GuardrailsService, PatternRule],
})
export class GuardrailsModule {
  constructor(errors: ConstraintErrors) {
    errors.add(GUARDRAILS_CONSTRAINT_ERRORS);
  }
}
