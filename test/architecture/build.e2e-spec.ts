import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';

const LINE = /^Building Gatehouse, which takes .* \.\.\.\n$/;

/** A clone in small: one source, and the compiler of this one. */
describe('bin/build.mjs --if-needed', () => {
  let clone: string;
  const source = (): string => path.join(clone, 'src', 'main.ts');

  beforeAll(() => {
    clone = mkdtempSync(path.join(os.tmpdir(), 'gatehouse-build-'));
    for (const name of ['bin/build.mjs', 'tsconfig.json']) cpSync(name, path.join(clone, name));
    mkdirSync(path.join(clone, 'src'));
    mkdirSync(path.join(clone, 'packages'));
    writeFileSync(source(), 'export const answer: number = 42;\n');
    writeFileSync(path.join(clone, 'package.json'), '{ "type": "module" }');
    const options = { types: [], rootDir: '.', outDir: 'dist' };
    const configuration = { extends: './tsconfig.json', compilerOptions: options, include: ['src'] };
    writeFileSync(path.join(clone, 'tsconfig.build.json'), JSON.stringify(configuration));
    symlinkSync(path.resolve('node_modules'), path.join(clone, 'node_modules'));
    // Files that were just written can have the time at which the build begins.
    for (const name of ['src/main.ts', 'src', 'packages', 'tsconfig.json', 'tsconfig.build.json']) {
      utimesSync(path.join(clone, name), 1, 1);
    }
  });

  afterAll(() => rmSync(clone, { recursive: true }));

  const build = (): { status: number | null; stdout: string; stderr: string } => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['bin/build.mjs', '--if-needed'], {
      cwd: clone,
      encoding: 'utf8',
    });
    return { status, stdout, stderr };
  };

  it('builds what is not built, and says so beside standard output', () => {
    expect(build()).toEqual({ status: 0, stdout: '', stderr: expect.stringMatching(LINE) as string });
    expect(existsSync(path.join(clone, 'dist/src/main.js'))).toBe(true);
  });

  it('does nothing where nothing has changed', () => {
    expect(build()).toEqual({ status: 0, stdout: '', stderr: '' });
  });

  it('builds what has changed', () => {
    writeFileSync(source(), 'export const answer: number = 43;\n');

    expect(build()).toEqual({ status: 0, stdout: '', stderr: expect.stringMatching(LINE) as string });
    expect(readFileSync(path.join(clone, 'dist/src/main.js'), 'utf8')).toContain('answer = 43');
  });

  it('fails with what the compiler says, and tries again the next time', () => {
    writeFileSync(source(), 'export const answer: number = "43";\n');

    for (let attempt = 0; attempt < 2; attempt += 1) {
      const { status, stderr } = build();
      expect(status).not.toBe(0);
      expect(stderr).toContain('TS2322');
    }
  });
});

describe('package-lock.json', () => {
  it('has only packages that run on the oldest supported Node.js', () => {
    const { satisfies, minVersion } = createRequire(path.resolve('package.json'))('semver') as {
      satisfies: (version: string, range: string) => boolean;
      minVersion: (range: string) => { version: string };
    };
    const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
      packages: Record<string, { engines?: { node?: string } }>;
    };
    const oldest = minVersion(packages['']!.engines!.node!).version;

    const others = Object.entries(packages).filter(([, { engines }]) => !satisfies(oldest, engines?.node ?? '*'));

    expect(others.map(([name]) => name)).toEqual([]);
  });
});
