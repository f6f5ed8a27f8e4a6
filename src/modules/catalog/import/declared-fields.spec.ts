import { ModelBenchmarks, TopProviderInfo } from '../dto/model.dto.js';
import { declaredFields } from './declared-fields.js';

describe('declaredFields', () => {
  it('drops fields that the class does not declare', () => {
    const entry = { is_moderated: true, context_length: null, data_center: 'x' };
    expect(declaredFields(TopProviderInfo, entry)).toEqual({ is_moderated: true, context_length: null });
  });

  it('drops them in objects and lists within as well', () => {
    const indices = { intelligence_index: 57.2, coding_index: null, agentic_index: 48.1 };
    const result = { arena: 'models', category: 'website', elo: 1284.4, win_rate: 58.3, rank: 4 };
    const entry = {
      artificial_analysis: { ...indices, speed_index: 1 },
      design_arena: [{ ...result, votes: 7 }],
    };
    expect(declaredFields(ModelBenchmarks, entry)).toEqual({ artificial_analysis: indices, design_arena: [result] });
  });

  it('adds no field that the entry leaves out', () => {
    expect(Object.keys(declaredFields(ModelBenchmarks, { design_arena: [] }))).toEqual(['design_arena']);
  });
});
