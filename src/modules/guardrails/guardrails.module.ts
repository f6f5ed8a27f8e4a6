import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/audit.module.js';
import { CatalogModule } from '../catalog/catalog.module.js';
import { KeysModule } from '../keys/keys.module.js';
import { WorkspacesModule } from '../workspaces/workspaces.module.js';
import { AssignmentsController } from './assignments.controller.js';
import { AssignmentsRepository } from './assignments.repository.js';
import { AssignmentsService } from './assignments.service.js';
import { CurrentKeyController } from './current-key.controller.js';
import { CurrentKeyService } from './current-key.service.js';
import { EffectiveGuardrailsController } from './effective-guardrails.controller.js';
import { EffectiveGuardrailsRepository } from './effective-guardrails.repository.js';
import { EffectiveGuardrailsService } from './effective-guardrails.service.js';
import { GUARDRAILS_ENTITIES } from './entities/index.js';
import { GuardrailReferences } from './guardrail-references.js';
import { GuardrailsController } from './guardrails.controller.js';
import { GuardrailsRepository } from './guardrails.repository.js';
import { GuardrailsService } from './guardrails.service.js';
import { PatternCompiler } from './patterns/pattern-compiler.js';
import { PatternRule } from './patterns/pattern-rule.js';
import { UserModelsController } from './user-models.controller.js';

/** Guardrails. */
@Module({
  imports: [TypeOrmModule.forFeature(GUARDRAILS_ENTITIES), AuditModule, WorkspacesModule, CatalogModule, KeysModule],
  // The paths of the first two would be ids for the last.
  controllers: [
    AssignmentsController,
    EffectiveGuardrailsController,
    GuardrailsController,
    CurrentKeyController,
    UserModelsController,
  ],
  providers: [
    AssignmentsRepository,
    AssignmentsService,
    CurrentKeyService,
    EffectiveGuardrailsRepository,
    EffectiveGuardrailsService,
    GuardrailReferences,
    GuardrailsRepository,
    GuardrailsService,
    PatternCompiler,
    PatternRule,
  ],
})
export class GuardrailsModule {}
