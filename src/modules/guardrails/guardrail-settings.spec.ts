import type { FilterPlace } from '../content/content-filters.js';
import type { CreateGuardrailRequest } from './dto/guardrail.dto.js';
import type { ReferenceLists } from './reference-lists.js';
import { type GuardrailSettings, initialSettings, UNRESTRICTED, withInput } from './guardrail-settings.js';

const NO_LISTS: ReferenceLists = {
  allowed_models: undefined,
  ignored_models: undefined,
  allowed_providers: undefined,
  ignored_providers: undefined,
};

function settingsOf(input: Partial<CreateGuardrailRequest>, current = UNRESTRICTED): GuardrailSettings {
  return withInput(current, input, NO_LISTS);
}

describe('withInput', () => {
  const CURRENT = settingsOf({ name: 'Production', description: 'Traffic', limit_usd: 5, reset_interval: 'daily' });

  it('keeps the value of every absent field', () => {
    expect(settingsOf({}, CURRENT)).toEqual(CURRENT);
  });

  it('clears a field that is null', () => {
    expect(settingsOf({ description: null }, CURRENT)).toEqual({ ...CURRENT, description: null });
  });

  it('stores a repeated data region once', () => {
    expect(settingsOf({ allowed_data_regions: ['us', 'europe', 'us'] }).allowedDataRegions).toEqual(['us', 'europe']);
  });

  it.each(['email', 'person-name'] as const)('stores neither label nor scan scope of %s', (slug) => {
    const { contentFilterBuiltins } = settingsOf({
      content_filter_builtins: [{ slug, action: 'block', scan_scope: 'user_only', label: 'mine' }],
    });

    expect(contentFilterBuiltins).toEqual([{ slug, action: 'block' }]);
  });

  it.each([undefined, 'all_messages', 'user_only'] as const)(
    'stores the scan scope %s of regex-prompt-injection, all_messages by default',
    (scope) => {
      const { contentFilterBuiltins } = settingsOf({
        content_filter_builtins: [
          { slug: 'regex-prompt-injection', action: 'redact', ...(scope !== undefined && { scan_scope: scope }) },
        ],
      });

      expect(contentFilterBuiltins).toEqual([
        { slug: 'regex-prompt-injection', action: 'redact', scan_scope: scope ?? 'all_messages' },
      ]);
    },
  );
});

describe('the places of filters', () => {
  const placesOf = (applies_to?: FilterPlace[]): unknown => {
    const stated = applies_to === undefined ? {} : { applies_to };
    const { contentFilterBuiltins, contentFilters } = settingsOf({
      content_filter_builtins: [{ slug: 'email', action: 'block', ...stated }],
      content_filters: [{ pattern: 'x', action: 'flag', ...stated }],
    });
    expect(contentFilters![0]!.applies_to).toEqual(contentFilterBuiltins![0]!.applies_to);
    return contentFilterBuiltins![0];
  };

  it.each([undefined, ['request', 'tool_result'], ['tool_result', 'request', 'tool_result']] as const)(
    'are not stored where they are those of today: %j',
    (places) => {
      expect(placesOf(places && [...places])).toEqual({ slug: 'email', action: 'block' });
    },
  );

  it('are stored once each, in one order', () => {
    expect(placesOf(['tool_call', 'response', 'request', 'response'])).toEqual({
      slug: 'email',
      action: 'block',
      applies_to: ['request', 'response', 'tool_call'],
    });
  });
});

describe('a custom filter that holds texts of answers whole', () => {
  it.each([
    ['a+', 'block', ['response'], true],
    ['a{5}', 'block', ['response'], undefined],
    ['a{1000}{5}', 'redact', ['tool_call'], true],
    ['a+', 'flag', ['response'], undefined],
    ['a+', 'block', ['request', 'tool_result'], undefined],
  ] as const)('is known by its pattern, what it does and where: %s, %s, %j', (pattern, action, places, holds) => {
    const { contentFilters } = settingsOf({
      content_filters: [{ pattern, action, applies_to: places, holds_whole_text: false }],
    });

    expect(contentFilters![0]!.holds_whole_text).toBe(holds);
  });
});

describe('initialSettings', () => {
  it('applies enforce_zdr to each vendor without a value of its own, also null', () => {
    const input = { name: 'ZDR', enforce_zdr: true, enforce_zdr_vendor_b: null };

    expect(settingsOf(input, initialSettings(input))).toMatchObject({
      enforceZdr: true,
      enforceZdrVendorA: true,
      enforceZdrVendorB: null,
      enforceZdrVendorC: true,
      enforceZdrVendorD: true,
      enforceZdrOther: true,
    });
  });
});
