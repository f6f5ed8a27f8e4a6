import { DataSource, getMetadataArgsStorage } from 'typeorm';
import './src/app.module.js';
import { VariableReader } from './src/config/variable-reader.js';
import { connectionOptions } from './src/persistence/connection-options.js';

// Nothing else is needed here, so nothing else may be missing.
const databaseUrl = new VariableReader(process.env).optionalText('DATABASE_URL');
if (databaseUrl === undefined) throw new Error('The TypeORM command line needs DATABASE_URL');

/** For TypeORM's command line: `DATABASE_URL=... npm run typeorm -- migration:show`. */
export default new DataSource({
  ...connectionOptions(databaseUrl),
  // All that the modules of the application have declared when they were imported.
  entities: getMetadataArgsStorage().tables.map(({ target }) => target),
});
