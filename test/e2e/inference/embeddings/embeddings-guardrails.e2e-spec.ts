import type { ErrorBody } from '../../../support/network/api-client.js';
import { embeddings } from '../provider-answers.js';
import { embeddingsRequests, NUMBERS } from './embeddings-requests.js';

const EMAIL = 'jane@example.com';

const EMAIL_REDACTED = { content_filter_builtins: [{ slug: 'email', action: 'redact' }] };

const EMAIL_BLOCKED = { content_filter_builtins: [{ slug: 'email', action: 'block' }] };

describe('createEmbeddings', () => {
  const { gateway, organization, sent } = embeddingsRequests();

  describe('under a guardrail', () => {
    it.each([
      ['a text', 'jane@example.com', '[EMAIL]'],
      ['texts', ['I am jane@example.com', 'Hello'], ['I am [EMAIL]', 'Hello']],
      [
        'parts',
        [{ content: [{ type: 'text', text: 'jane@example.com', caption: 'by jane@example.com' }] }],
        [{ content: [{ type: 'text', text: '[EMAIL]', caption: 'by [EMAIL]' }] }],
      ],
    ])('answers 200 for %s, and sends it without what is redacted', async (_, input, redacted) => {
      const guarded = await gateway.guardedKey(organization, EMAIL_REDACTED);
      gateway.alpha.answerJson(embeddings([input].flat().map(() => NUMBERS)));
      const answer = await gateway.embed(guarded, { input, texts: ['jane@example.com'] });

      expect(answer.status).toBe(200);
      expect(sent()).toMatchObject({ input: redacted });
      // No provider is known to take such a field.
      expect(sent()).not.toHaveProperty('texts');
      expect(JSON.stringify(await gateway.record(answer, guarded))).not.toContain('jane');
    });

    describe.each([
      ['beside a picture', { image_url: { url: 'https://example.com/a.png' }, caption: EMAIL }, { caption: '[EMAIL]' }],
      [
        'in a picture',
        { image_url: { url: 'https://example.com/a.png', alt: EMAIL } },
        { image_url: { alt: '[EMAIL]' } },
      ],
      [
        'in the type of something else',
        { image_url: { url: 'https://example.com/a.png' }, more: { type: EMAIL } },
        { more: { type: '[EMAIL]' } },
      ],
      [
        'in the name of a field',
        { image_url: { url: 'https://example.com/a.png' }, more: { [EMAIL]: 1 } },
        { more: { '[EMAIL]': 1 } },
      ],
    ])('with a text that the gateway does not know %s', (_, part, redacted) => {
      const input = [{ content: [{ type: 'image_url', ...part }] }];

      it('answers 200, and sends it without what is redacted', async () => {
        const answer = await gateway.embed(await gateway.guardedKey(organization, EMAIL_REDACTED), { input });

        expect(answer.status).toBe(200);
        expect(sent()).toMatchObject({ input: [{ content: [redacted] }] });
        expect(JSON.stringify(sent())).not.toContain(EMAIL);
      });

      it('answers 403 where it is blocked, and asks no provider', async () => {
        const answer = await gateway.embed<ErrorBody>(await gateway.guardedKey(organization, EMAIL_BLOCKED), { input });

        expect([answer.status, answer.body.error.metadata]).toMatchObject([403, { reason: 'content_blocked' }]);
        expect(gateway.alpha.received).toEqual([]);
      });
    });

    it('answers 403 for a text that is blocked, and asks no provider', async () => {
      const answer = await gateway.embed<ErrorBody>(await gateway.guardedKey(organization, EMAIL_BLOCKED), {
        input: ['Hello', 'jane@example.com'],
      });

      expect([answer.status, answer.body.error]).toMatchObject([
        403,
        { message: 'Request blocked by content filter: [EMAIL]', metadata: { reason: 'content_blocked' } },
      ]);
      expect(gateway.alpha.received).toEqual([]);
    });

    it.each([
      ['the tokens of a text', [1, 2, 3]],
      ['the tokens of texts', [[1], [2]]],
      [
        'a file of text of another alphabet',
        [{ content: [{ type: 'input_file', input_file: { data: btoa(`é ${EMAIL}`) } }] }],
      ],
    ])('answers 403 for %s, which filters cannot read', async (_, input) => {
      const guarded = await gateway.guardedKey(organization, EMAIL_REDACTED);
      const answer = await gateway.embed<ErrorBody>(guarded, { input });

      expect([answer.status, answer.body.error.metadata]).toMatchObject([403, { reason: 'input_not_scannable' }]);
      expect(gateway.alpha.received).toEqual([]);
      expect(await gateway.record(answer, guarded)).toMatchObject({ status: 403, refusal: 'input_not_scannable' });
    });

    it.each([
      [{ allowed_models: ['acme/writer'] }, 'allowed_models'],
      [{ allowed_providers: ['nobody'] }, 'allowed_providers'],
    ])('answers 404 where %j leaves no endpoint', async (settings, word) => {
      const answer = await gateway.embed<ErrorBody>(await gateway.guardedKey(organization, settings));

      expect([answer.status, answer.body.error]).toMatchObject([
        404,
        { availability: { excluded_by: expect.arrayContaining([word]) as string[] } },
      ]);
      expect(gateway.alpha.received).toEqual([]);
    });

    it('answers 503 when the only endpoint that retains nothing fails, where that is enforced', async () => {
      gateway.alpha.answerJson({ error: { message: 'overloaded' } }, 503);
      const answer = await gateway.embed<ErrorBody>(await gateway.guardedKey(organization, { enforce_zdr: true }));

      expect([answer.status, gateway.alpha.received.length, gateway.beta.received.length]).toEqual([503, 1, 0]);
    });
  });
});
