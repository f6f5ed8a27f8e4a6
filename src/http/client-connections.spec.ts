import { defaultConnectionLimit } from './client-connections.js';

const limitsWith = (openFiles: string): string =>
  `Limit                     Soft Limit           Hard Limit           Units
Max processes             100                  100                  processes
Max open files            ${openFiles.padEnd(20)} 1048576              files
Max locked memory         65536                65536                bytes
`;

describe('defaultConnectionLimit', () => {
  it.each([
    ['600', 450],
    ['1024', 768],
    ['1048576', 10_000],
    ['unlimited', 768],
    ['1', 1],
  ])('of a process with %s open files at most is %i', (openFiles, limit) => {
    expect(defaultConnectionLimit(limitsWith(openFiles))).toBe(limit);
  });

  it('is that of 1,024 files when the system states no limit', () => {
    expect(defaultConnectionLimit('')).toBe(768);
  });

  it('reads the limits of this process', () => {
    expect(defaultConnectionLimit()).toBeGreaterThanOrEqual(1);
  });
});
