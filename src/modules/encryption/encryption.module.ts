import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Readiness } from '../../http/health/readiness.js';
import { Cipher } from './cipher.js';
import { EncryptedTables } from './encrypted-tables.js';
import { EncryptionRotationService } from './encryption-rotation.service.js';
import { EncryptionState } from './encryption-state.js';
import { EncryptionStateRepository } from './encryption-state.repository.js';
import { EncryptionStateEntity } from './entities/encryption-state.entity.js';

/** Encryption at rest: of what, with which keys, and their rotation. */
@Module({
  imports: [AuditModule, TypeOrmModule.forFeature([EncryptionStateEntity])],
  providers: [Cipher, EncryptedTables, EncryptionRotationService, EncryptionState, EncryptionStateRepository],
  exports: [Cipher, EncryptedTables, EncryptionRotationService, EncryptionState],
})
export class EncryptionModule {
  constructor(readiness: Readiness, state: EncryptionState) {
    // A process whose keys do not match the database cannot read what other processes write.
    readiness.require('encryption', async () => ((await state.check()).fits ? undefined : 'key_mismatch'));
  }
}
