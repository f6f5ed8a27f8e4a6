import { EventEmitter } from 'node:events';
import { MessageTokensService } from './message-tokens.service.js';

type Parts = ConstructorParameters<typeof MessageTokensService>;

const CALLER = { kind: 'api_key', organizationId: 'org_1', workspaceId: 'w' } as Parameters<
  MessageTokensService['count']
>[0];

const RESPONSE = Object.assign(new EventEmitter(), {
  req: Object.assign(new EventEmitter(), { headers: {} }),
}) as unknown as Parameters<MessageTokensService['count']>[2];

const run = (_: string, task: (slot: object) => unknown): unknown => task({});

const runShare = (_: string, _share: string, task: () => unknown): unknown => task();

function serviceWith(decision: object, settled: number[]): MessageTokensService {
  const preparation = { decide: () => Promise.resolve(decision) };
  const rates = { settle: (_: string, _rates: object, tokens: number) => Promise.resolve(settled.push(tokens)) };
  return new MessageTokensService(...([preparation, rates, { run: runShare }, { run }] as unknown as Parts));
}

const SEEN = {
  messages: [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Look here' },
        { type: 'image_url', image_url: { url: 'https://images.example/a.png' } },
      ],
    },
  ],
};

describe('MessageTokensService', () => {
  it('adds the tokens of images and files to those of the texts, and uses none', async () => {
    const settled: number[] = [];
    const service = serviceWith({ inspected: SEEN }, settled);

    expect(await service.count(CALLER, { messages: [] }, RESPONSE)).toEqual({ input_tokens: 2_051 });
    expect(settled).toEqual([0]);
  });

  it('uses none for a request that is refused', async () => {
    const settled: number[] = [];
    const service = serviceWith({ refusal: new Error('refused') }, settled);

    await expect(service.count(CALLER, { messages: [] }, RESPONSE)).rejects.toThrow('refused');
    expect(settled).toEqual([0]);
  });
});
