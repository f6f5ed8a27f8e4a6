import { CHOICE_FIELDS } from '../../codecs/chat/choice-count.js';
import { choiceCountRules } from './choice-count-rules.js';

describe('choiceCountRules', () => {
  it.each(CHOICE_FIELDS)('refuses a %s that is no whole number from 1 to 128', (field) => {
    for (const value of ['2', '100', 0, -1, 1.5, 129, true, [2], { value: 2 }]) {
      expect(choiceCountRules({ [field]: value })).toEqual([{ path: field, message: 'must be integer from 1 to 128' }]);
    }
    for (const value of [undefined, null, 1, 128]) expect(choiceCountRules({ [field]: value })).toEqual([]);
  });
});
