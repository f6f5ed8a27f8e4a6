import { DataSource } from 'typeorm';
import { VariableReader } from './src/config/variable-reader.js';
import { connectionOptions } from './src/database/connection-options.js';
import { DATABASE_ENTITIES } from './src/database/entities/index.js';
import { AUDIT_ENTITIES } from './src/modules/audit/entities/index.js';
import { CATALOG_ENTITIES } from './src/modules/catalog/entities/index.js';
import { GUARDRAILS_ENTITIES } from './src/modules/guardrails/entities/index.js';
import { KEYS_ENTITIES } from './src/modules/keys/entities/index.js';
import { OBSERVABILITY_ENTITIES } from './src/modules/observability/entities/index.js';
import { ORGANIZATIONS_ENTITIES } from './src/modules/organizations/entities/index.js';
import { PRESETS_ENTITIES } from './src/modules/presets/entities/index.js';
import { SCIM_ENTITIES } from './src/modules/scim/entities/index.js';
import { WORKSPACES_ENTITIES } from './src/modules/workspaces/entities/index.js';

// Nothing else is needed here, so nothing else may be missing.
const databaseUrl = new VariableReader(process.env).optionalText('DATABASE_URL');
if (databaseUrl === undefined) throw new Error('The TypeORM command line needs DATABASE_URL');

/** For TypeORM's command line: `DATABASE_URL=... npm run typeorm -- migration:show`. */
export default new DataSource({
  ...connectionOptions(databaseUrl),
  entities: [
    ...DATABASE_ENTITIES,
    ...AUDIT_ENTITIES,
    ...ORGANIZATIONS_ENTITIES,
    ...WORKSPACES_ENTITIES,
    ...KEYS_ENTITIES,
    ...GUARDRAILS_ENTITIES,
    ...SCIM_ENTITIES,
    ...CATALOG_ENTITIES,
    ...PRESETS_ENTITIES,
    ...OBSERVABILITY_ENTITIES,
  ],
});
