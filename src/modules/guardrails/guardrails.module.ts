import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CatalogModule } from '../catalog/catalog.module.js';
import { WorkspacesModule } from '../workspaces/workspaces.module.js';
import { GUARDRAILS_ENTITIES } from './entities/index.js';
import { GuardrailsController } from './guardrails.controller.js';
import { GuardrailsRepository } from './guardrails.repository.js';
import { GuardrailsService } from './guardrails.service.js';

/** Guardrails. */
@Module({
  imports: [TypeOrmModule.forFeature(GUARDRAILS_ENTITIES), WorkspacesModule, CatalogModule],
  controllers: [GuardrailsController],
  providers: [GuardrailsRepository, GuardrailsService],
})
export class GuardrailsModule {}
