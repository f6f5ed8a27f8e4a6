import path from 'node:path';
import type { VariableReader } from './variable-reader.js';

/** What becomes of the management key of the first organization: it is printed, written to a new file, or not made at all. */
export type FirstManagementKey = 'print' | 'none' | { readonly file: string };

/** Reads FIRST_MANAGEMENT_KEY: `print`, `none`, or `file:` and the absolute path of a file that does not exist yet. */
export function firstManagementKeyOf(reader: VariableReader): FirstManagementKey {
  const text = reader.text('FIRST_MANAGEMENT_KEY', 'print');
  if (text === 'print' || text === 'none') return text;
  const file = text.startsWith('file:') ? text.slice('file:'.length) : '';
  if (!path.isAbsolute(file)) {
    reader.issue(
      'FIRST_MANAGEMENT_KEY',
      'must be print, none, or file: and an absolute path (file:/run/gatehouse/key)',
    );
  }
  return { file };
}
