import { readEnvironment } from '../../config/environment.js';
import { newUuid } from '../../persistence/identifiers.js';
import { encryptAsEarlierReleases } from '../../../test/support/resources/earlier-config-encryption.js';
import { ConfigCipher } from './encrypted-configs.js';

const CONFIG = {
  baseUrl: 'https://example.com',
  secretKey: 'sk-0123456789',
  headers: { 'x-ünicode': '🔑' },
  empty: '',
};

const ROW = { organizationId: 'org_1', workspaceId: newUuid(), id: newUuid(), type: 'langfuse' };

const [OLD, NEW, OTHER] = ['11', '22', '33'].map((byte) => byte.repeat(32)) as [string, string, string];

/** @param keys as ENCRYPTION_KEY has them */
function cipherWith(keys: string): ConfigCipher {
  return new ConfigCipher(readEnvironment({ ENCRYPTION_KEY: keys }));
}

function messageOf(attempt: () => unknown): string {
  try {
    attempt();
  } catch (error) {
    return String(error);
  }
  return '';
}

describe('ConfigCipher', () => {
  it('decrypts what it has encrypted', () => {
    const cipher = cipherWith(OLD);

    for (const config of [CONFIG, {}, { nested: { list: [1, null, true] } }, { long: 'x'.repeat(100_000) }]) {
      expect(cipher.decrypt(ROW, cipher.encrypt(ROW, config))).toEqual(config);
    }
  });

  it('treats a key in hex and in base64 as the same key', () => {
    const inBase64 = cipherWith(Buffer.from(OLD, 'hex').toString('base64'));

    expect(inBase64.decrypt(ROW, cipherWith(OLD).encrypt(ROW, CONFIG))).toEqual(CONFIG);
  });

  it('produces no plaintext in any encoding', () => {
    const bytes = cipherWith(OLD).encrypt(ROW, CONFIG);

    for (const text of ['https', 'secretKey', 'sk-0123456789', 'ünicode', '🔑', OLD]) {
      expect(bytes.includes(Buffer.from(text))).toBe(false);
      expect(bytes.toString('latin1')).not.toContain(Buffer.from(text).toString('base64'));
    }
    expect(bytes.includes(Buffer.from(OLD, 'hex'))).toBe(false);
    expect(bytes.includes(Buffer.from(OLD, 'hex').subarray(0, 8))).toBe(false);
  });

  it('encrypts equal settings differently each time', () => {
    const cipher = cipherWith(OLD);
    const nonces = Array.from({ length: 100 }, () => cipher.encrypt(ROW, CONFIG).subarray(5, 17).toString('hex'));

    expect(new Set(nonces).size).toBe(100);
  });

  it('does not decrypt for another row', () => {
    const cipher = cipherWith(OLD);
    const bytes = cipher.encrypt(ROW, CONFIG);

    for (const id of [newUuid(), '', ROW.id.toUpperCase(), `${ROW.id} `]) {
      expect(() => cipher.decrypt({ ...ROW, id }, bytes)).toThrow();
    }
  });

  it.each([
    { organizationId: 'org_2' },
    { workspaceId: newUuid() },
    { type: 'webhook' },
    // One after the other, the texts are those of the row.
    { organizationId: `org_1${ROW.workspaceId}`, workspaceId: '' },
    { organizationId: `org_1","${ROW.workspaceId}`, workspaceId: '' },
  ])('does not decrypt once the row has %j', (changed) => {
    const cipher = cipherWith(OLD);
    const bytes = cipher.encrypt(ROW, CONFIG);

    expect(() => cipher.decrypt({ ...ROW, ...changed }, bytes)).toThrow();
  });

  it('does not decrypt the format of earlier releases as the current one, or the other way round', () => {
    const cipher = cipherWith(OLD);
    const unbound = encryptAsEarlierReleases(Buffer.from(OLD, 'hex'), ROW.id, CONFIG);
    const relabelled = (bytes: Buffer, format: number): Buffer => Buffer.concat([Buffer.of(format), bytes.subarray(1)]);

    expect(cipher.decryptUnbound(ROW.id, unbound)).toEqual(CONFIG);
    expect([cipher.isUnbound(unbound), cipher.isCurrent(unbound)]).toEqual([true, false]);
    expect(() => cipher.decryptUnbound(newUuid(), unbound)).toThrow();
    expect(() => cipher.decrypt(ROW, unbound)).toThrow('unknown format');
    expect(() => cipher.decrypt(ROW, relabelled(unbound, 2))).toThrow();
    const bound = cipher.encrypt(ROW, CONFIG);
    expect(() => cipher.decryptUnbound(ROW.id, bound)).toThrow('unknown format');
    expect(() => cipher.decryptUnbound(ROW.id, relabelled(bound, 1))).toThrow();
  });

  it('detects every changed, added or removed byte', () => {
    const cipher = cipherWith(OLD);
    const bytes = cipher.encrypt(ROW, CONFIG);

    for (const index of bytes.keys()) {
      const changed = Buffer.from(bytes);
      changed[index]! ^= 1;
      expect(() => cipher.decrypt(ROW, changed)).toThrow();
    }
    for (const changed of [
      Buffer.concat([bytes, Buffer.of(0)]),
      bytes.subarray(0, -1),
      bytes.subarray(1),
      Buffer.alloc(0),
      bytes.subarray(0, 20),
    ]) {
      expect(() => cipher.decrypt(ROW, changed)).toThrow();
    }
  });

  it('repeats neither key nor settings in an error', () => {
    const cipher = cipherWith(OLD);
    const bytes = cipher.encrypt(ROW, CONFIG);
    bytes[40]! ^= 1;

    for (const attempt of [() => cipher.decrypt(ROW, bytes), () => cipherWith(OTHER).decrypt(ROW, bytes)]) {
      const message = messageOf(attempt);
      expect(message).toMatch(/./);
      for (const secret of ['secretKey', 'sk-', OLD, OTHER, bytes.toString('hex')])
        expect(message).not.toContain(secret);
    }
  });

  describe('with several keys', () => {
    it('encrypts with the first, and decrypts with each', () => {
      const rotated = cipherWith(`${NEW},${OLD}`);

      expect(rotated.decrypt(ROW, cipherWith(OLD).encrypt(ROW, CONFIG))).toEqual(CONFIG);
      expect(rotated.decrypt(ROW, cipherWith(NEW).encrypt(ROW, CONFIG))).toEqual(CONFIG);
      expect(cipherWith(NEW).decrypt(ROW, rotated.encrypt(ROW, CONFIG))).toEqual(CONFIG);
      expect(() => cipherWith(OLD).decrypt(ROW, rotated.encrypt(ROW, CONFIG))).toThrow('no ENCRYPTION_KEY fits');
    });

    it('decrypts for its own row only', () => {
      const rotated = cipherWith(`${NEW},${OLD}`);

      expect(() => rotated.decrypt({ ...ROW, id: newUuid() }, cipherWith(OLD).encrypt(ROW, CONFIG))).toThrow();
    });
  });

  it('reports that no key fits', () => {
    const bytes = cipherWith(OLD).encrypt(ROW, CONFIG);

    expect(() => cipherWith(OTHER).decrypt(ROW, bytes)).toThrow('no ENCRYPTION_KEY fits the encrypted value');
    expect(() => cipherWith('').decrypt(ROW, bytes)).toThrow('no ENCRYPTION_KEY fits the encrypted value');
  });

  it('reports that the format is unknown', () => {
    const bytes = cipherWith(OLD).encrypt(ROW, CONFIG);
    bytes[0] = 3;

    for (const unknown of [bytes, Buffer.alloc(0), Buffer.of(2), Buffer.from('{"secretKey":"x"}')]) {
      expect(() => cipherWith(OLD).decrypt(ROW, unknown)).toThrow('the encrypted value has an unknown format');
    }
  });

  it('throws without a key', () => {
    expect(() => cipherWith('').encrypt(ROW, CONFIG)).toThrow('there is no encryption key');
  });
});
