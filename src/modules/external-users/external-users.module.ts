import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ConstraintErrors } from '../../http/errors/constraint-errors.js';
import { AuditModule } from '../audit/audit.module.js';
import { ExternalUserEntity } from './entities/external-user.entity.js';
import { ExternalUsersController } from './external-users.controller.js';
import { EXTERNAL_USERS_CONSTRAINT_ERRORS } from './external-users.errors.js';
import { ExternalUsersRepository } from './external-users.repository.js';
import { ExternalUsersService } from './external-users.service.js';

/** Users of organizations' own products (docs/interface/external-users.md). */
@Module({
  imports: [AuditModule, TypeOrmModule.forFeature([ExternalUserEntity])],
  controllers: [ExternalUsersController],
  providers: [ExternalUsersRepository, ExternalUsersService],
})
export class ExternalUsersModule {
  constructor(errors: ConstraintErrors) {
    errors.add(EXTERNAL_USERS_CONSTRAINT_ERRORS);
  }
}
