import { readFileSync } from 'node:fs';

describe('Dockerfile', () => {
  const lines = readFileSync('Dockerfile', 'utf8')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n');
  const instructions = (name: string): string[] =>
    lines.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1));

  it('makes two images, of which the one with the embedded PostgreSQL is built by default', () => {
    const stages = instructions('FROM').map((stage) => stage.split(' AS ')[1]);
    expect(stages).toContain('external');
    expect(stages.at(-1)).toBe('standalone');
  });

  it('runs both as a user with a number, because Kubernetes cannot check a name', () => {
    expect(instructions('USER')).toEqual(['1000:1000', '1000:1000']);
  });

  it('labels them with the version of package.json', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    expect(instructions('ARG')).toContain(`VERSION=${version}`);
  });

  it('copies only what .dockerignore lets through', () => {
    const allowed = readFileSync('.dockerignore', 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('!'))
      .map((line) => line.slice(1));
    const copied = instructions('COPY')
      .filter((copy) => !copy.startsWith('--from='))
      .flatMap((copy) =>
        copy
          .replace(/^--\S+ /, '')
          .split(' ')
          .slice(0, -1),
      );
    expect(copied.filter((source) => !allowed.includes(source))).toEqual([]);
    expect(allowed.filter((source) => !copied.includes(source))).toEqual([]);
  });
});
