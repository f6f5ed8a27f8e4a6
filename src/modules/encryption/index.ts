export { Cipher, UNBOUND_FORMAT } from './cipher.js';
export { HIDDEN, isMask, isMaskOf, labelOfKey, maskCredential } from './credential-mask.js';
export { EncryptedColumn } from './encrypted-column.js';
export { type EncryptedRow, type EncryptedTable, EncryptedTables } from './encrypted-tables.js';
export { EncryptionRotationService, type RotatedTable, type RotationOptions } from './encryption-rotation.service.js';
export { EncryptionKeyMismatch, EncryptionState } from './encryption-state.js';
export { MASKED_CREDENTIAL } from './encryption.errors.js';
export { EncryptionModule } from './encryption.module.js';
