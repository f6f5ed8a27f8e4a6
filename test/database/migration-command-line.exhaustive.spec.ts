import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type DataSource, getMetadataArgsStorage } from 'typeorm';
import { migrate } from '../../src/persistence/migrate.js';
import { migratedDatabase, NAMES } from './migrated-database.js';

describe('the migrations', () => {
  const { dataSource, migratedUrl, emptyUrl, drift } = migratedDatabase();

  describe('are available to the TypeORM command line', () => {
    it('with the options and entities of the application', async () => {
      const targets = ({ entityMetadatas }: DataSource): unknown[] => entityMetadatas.map(({ target }) => target);
      const known = targets(dataSource());
      // Other tests of the same process may have declared entities of their own.
      const metadata = getMetadataArgsStorage();
      const declared = jest.replaceProperty(
        metadata,
        'tables',
        metadata.tables.filter(({ target }) => known.includes(target)),
      );
      const environment = jest.replaceProperty(process, 'env', { DATABASE_URL: await migratedUrl() });
      const { default: commandLine } = await import('../../ormconfig.js');
      environment.restore();
      declared.restore();

      await commandLine.initialize();
      try {
        expect(new Set(targets(commandLine))).toEqual(new Set(known));
        expect(targets(commandLine)).toHaveLength(known.length);
        expect(await drift(commandLine)).toEqual([]);
        expect(await commandLine.showMigrations()).toBe(false);
      } finally {
        await commandLine.destroy();
      }
    });

    it('as the command itself lists them', async () => {
      const show = async (): Promise<string> => {
        const arguments_ = ['node_modules/typeorm/cli.js', '-d', 'dist/ormconfig.js', 'migration:show'];
        const { stdout } = await promisify(execFile)('node', arguments_, {
          env: { PATH: process.env['PATH'], DATABASE_URL: await emptyUrl() },
        });
        return stdout;
      };

      expect(await show()).toContain(`[ ] ${NAMES[0]}`);
      await migrate(await emptyUrl());
      expect(await show()).toMatch(new RegExp(`\\[X\\] \\d+ ${NAMES[0]}`));
    });
  });
});
