import { readEnvironment } from './environment.js';

/** An encryption key. */
export const KEY = Buffer.alloc(32, 7);

/** The names of all variables that are looked at; those of proxies, which are also read in small letters, in capital ones. */
export function variablesRead(): Set<string> {
  const names = new Set<string>();
  readEnvironment(
    new Proxy<Record<string, string | undefined>>(
      {},
      {
        get(_target, name): undefined {
          names.add(String(name).toUpperCase());
        },
      },
    ),
  );
  return names;
}
