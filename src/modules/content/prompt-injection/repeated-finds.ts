import type { MatchHandler } from '../engine/detector.js';

/** Hands on what is found, but not again what begins at the same place by the same name: several readings of a text may have it. */
export function withoutRepetition(found: MatchHandler): MatchHandler {
  const known = new Set<string>();
  return (start, end, name) => {
    const key = `${start} ${name}`;
    if (known.has(key)) return;
    known.add(key);
    found(start, end, name);
  };
}
