import { readFileSync } from 'node:fs';

/** The public interface that existing clients are generated from: names, types, enums, bounds and statuses. */
const CONTRACT_FILE = 'test/contract/management-contract.json';

/** @returns the public contract as JSON text (an OpenAPI 3.1 document) */
export function readContract(): string {
  return readFileSync(CONTRACT_FILE, 'utf8');
}
