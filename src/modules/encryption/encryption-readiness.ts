import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Readiness } from '../../api/health/readiness.js';
import { EncryptionState } from './encryption-state.js';

/** A process whose keys do not match the database is not ready: it cannot read what other processes write. */
@Injectable()
export class EncryptionReadiness implements OnModuleInit {
  constructor(
    private readonly readiness: Readiness,
    private readonly state: EncryptionState,
  ) {}

  onModuleInit(): void {
    this.readiness.require('encryption', async () => ((await this.state.check()).fits ? undefined : 'key_mismatch'));
  }
}
