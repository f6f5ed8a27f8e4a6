import { createHash } from 'node:crypto';
import { DETECTORS, TextPart } from '../../../../packages/content-detectors/index.js';
import { SECRET_PREFIXES } from '../../../auth/principal.js';

describe('the filter of secrets', () => {
  it.each(Object.values(SECRET_PREFIXES))('finds credentials and codes of the gateway that begin with %s', (prefix) => {
    const text = `it is ${prefix}-gate-v1-${createHash('sha512').update(prefix).digest('hex').slice(0, 72)}, keep it`;
    const found: string[] = [];
    DETECTORS.secrets.detect(new TextPart(text, 0, text.length), 0, (start) =>
      found.push(text.slice(start, start + 8)),
    );

    expect(found).toEqual([`${prefix}-gate-`]);
  });
});
