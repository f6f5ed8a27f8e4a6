import { PromptTokens } from './prompt-tokens.js';
import type { RequestSize } from './request-size.js';

const size = (fields: Partial<RequestSize> = {}): RequestSize => ({
  bytes: 10_000,
  tokens: 0,
  messages: 1,
  images: 0,
  recordings: 0,
  mediaTokens: 0,
  namedTokens: null,
  choices: 1,
  hasAnswer: true,
  answersAloud: false,
  answersImages: false,
  ...fields,
});

describe('the bound of the tokens of a prompt', () => {
  let tokens: PromptTokens;

  beforeEach(() => (tokens = new PromptTokens()));

  const most = (model: string, of: RequestSize): number => {
    const { texts, media } = tokens.boundOf(model, of);
    return texts + media;
  };

  it('is half a token a byte, and those of the form and of what is no text', () => {
    expect(most('acme/writer', size())).toBe(5_012);
    expect(most('acme/writer', size({ bytes: 1 }))).toBe(13);
    expect(most('acme/writer', size({ messages: 3, tokens: 7, mediaTokens: 100 }))).toBe(5_127);
  });

  it('rises with the largest ratio that a model was seen to reach, and for that model only', () => {
    tokens.saw('acme/writer', size(), 8_012);
    tokens.saw('acme/writer', size(), 6_012);
    expect(most('acme/writer', size())).toBe(8_012);
    expect(most('acme/writer', size({ bytes: 100 }))).toBe(92);
    expect(most('acme/other', size())).toBe(5_012);
  });

  it('learns from a short prompt how many tokens the provider adds, and no ratio', () => {
    const short = size({ bytes: 2 });
    tokens.saw('acme/writer', short, 400);
    expect(most('acme/writer', short)).toBe(400);
    expect(most('acme/writer', size())).toBe(5_012 + 387);
  });

  it('learns nothing from images, and nothing without a bound', () => {
    tokens.saw('acme/writer', size({ mediaTokens: 2_048 }), 1_000_000);
    expect(most('acme/writer', size())).toBe(5_012);
    tokens.saw('acme/writer', size({ bytes: 2 }), 1_000_000);
    expect(most('acme/writer', size())).toBe(5_012 + 4_096);
    tokens.saw('acme/writer', size(), 1_000_000);
    expect(most('acme/writer', size())).toBe(40_012 + 4_096);
  });
});
