import type { ModelTraits } from '../../../catalog/model-facts.js';
import { PromptTokens } from './prompt-tokens.js';
import type { RequestSize } from '../request/request-size.js';

const size = (fields: Partial<RequestSize> = {}): RequestSize => ({
  bytes: 10_000,
  messages: 1,
  ...fields,
});

const WRITER = 'acme/writer';

describe('the bound of the tokens of a prompt', () => {
  let tokens: PromptTokens;

  beforeEach(() => (tokens = new PromptTokens()));

  afterEach(() => jest.restoreAllMocks());

  const learn = (seen: RequestSize, count: number): void => tokens.learn('one', WRITER, seen, count);

  const most = (of: RequestSize, id = WRITER, organization = 'one', traits: ModelTraits | null = null): number => {
    const { texts, media } = tokens.boundOf(organization, { id, traits }, of);
    return texts + media;
  };

  it('is half a token a byte, and those of the form and of what is no text', () => {
    expect(most(size())).toBe(5_012);
    expect(most(size({ bytes: 1 }))).toBe(13);
    expect(most(size({ messages: 3, tokens: 7, mediaTokens: 100 }))).toBe(5_127);
  });

  it('rises with the largest ratio that a model was seen to reach, for that model and organization only', () => {
    learn(size(), 8_012);
    learn(size(), 6_012);
    expect(most(size())).toBe(8_012);
    expect(most(size({ bytes: 100 }))).toBe(92);
    expect(most(size(), 'acme/other')).toBe(5_012);
    expect(most(size(), WRITER, 'another')).toBe(5_012);
  });

  it('learns from a short prompt how many tokens the provider adds, and no ratio', () => {
    const short = size({ bytes: 2 });
    learn(short, 400);
    expect(most(short)).toBe(400);
    expect(most(size())).toBe(5_012 + 387);
  });

  it('learns nothing from recordings, and nothing without a bound', () => {
    learn(size({ recordings: 1, mediaTokens: 2_048 }), 1_000_000);
    expect(most(size())).toBe(5_012);
    learn(size({ bytes: 2 }), 1_000_000);
    expect(most(size())).toBe(5_012 + 4_096);
    learn(size(), 1_000_000);
    expect(most(size())).toBe(40_012 + 4_096);
  });

  it('learns from images what an image has, and nothing about texts', () => {
    const pictures = size({ bytes: 100, units: { input_image: 2 }, mediaTokens: 4_096 });
    expect(most(pictures)).toBe(62 + 4_096);
    learn(pictures, 100_062);
    expect(most(pictures)).toBe(100_062);
    expect(most(size({ units: { input_image: 1 }, mediaTokens: 2_048 }))).toBe(5_012 + 50_000);
    expect(most(size())).toBe(5_012);
    learn(pictures, 1_000_000);
    expect(most(size({ units: { input_image: 1 }, mediaTokens: 2_048 }))).toBe(5_012 + 65_536);
  });

  it('has as many tokens for an image as the catalog says, or more where they were seen', () => {
    const picture = size({ bytes: 0, units: { input_image: 1 }, mediaTokens: 2_048 });
    expect(most(picture, WRITER, 'one', { image_tokens: 48_169 })).toBe(12 + 48_169);
    expect(most(picture, WRITER, 'one', { image_tokens: 258 })).toBe(12 + 258);
    learn(picture, 512);
    expect(most(picture, WRITER, 'one', { image_tokens: 258 })).toBe(512);
  });

  it('falls again when nothing as large was seen for an hour or two', () => {
    const hour = 3_600_000;
    const now = jest.spyOn(Date, 'now').mockReturnValue(100 * hour);
    learn(size(), 8_012);
    now.mockReturnValue(101 * hour + 1);
    learn(size(), 6_012);
    expect(most(size())).toBe(8_012);
    now.mockReturnValue(102 * hour);
    expect(most(size())).toBe(6_012);
    now.mockReturnValue(104 * hour);
    expect(most(size())).toBe(5_012);
  });
});
