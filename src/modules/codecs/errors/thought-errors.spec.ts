import { isMissingThoughtError, isThoughtError } from './thought-errors.js';

describe('isThoughtError', () => {
  it.each([
    ['The encrypted content gAAA...Rg== could not be verified.'],
    [
      'The encrypted content for item rs_1 could not be verified. Reason: Encrypted content could not be decrypted or parsed.',
    ],
    ['Could not decrypt the provided encrypted_content. Ensure the value is the unmodified encrypted_content.'],
    ['Could not decode the compaction blob. Ensure it is unmodified from the compact response.'],
    ['messages.1.content.0: Invalid `signature` in `thinking` block'],
    ['Invalid signature in thinking block (Service: BedrockRuntime, Status Code: 400)'],
    ['messages.3.content.0: Invalid `data` in `redacted_thinking` block'],
    ['The model returned the following errors: messages.369.content.0.thinking.signature: Field required'],
    ['`thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified.'],
    ['Corrupted thought signature.'],
    ['Unable to submit request because Thought signature is not valid.. Learn more'],
    ['Invalid thought signature.'],
  ])('recognizes "%s"', (message) => expect(isThoughtError(message)).toBe(true));

  it('recognizes the code, whatever the words', () => {
    expect(isThoughtError('Bad request.', 'invalid_encrypted_content')).toBe(true);
    expect(isThoughtError('{"code":"invalid_encrypted_content"}')).toBe(true);
  });

  it.each([
    ['max_tokens must be greater than thinking.budget_tokens'],
    ['Expected `thinking` or `redacted_thinking`, but found `tool_use`.'],
    ['Function call is missing a thought_signature in functionCall parts.'],
    ['The request signature we calculated does not match the signature you provided.'],
    ['Invalid value for encrypted_content: expected a string.'],
  ])('takes "%s" for another refusal', (message) => expect(isThoughtError(message, 'invalid_request')).toBe(false));
});

describe('isMissingThoughtError', () => {
  it.each([
    [
      'messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`. When `thinking` is enabled',
    ],
    ['a final `assistant` message must start with a thinking block'],
    ['The `reasoning_content` in the thinking mode must be passed back to the API.'],
    ['thinking is enabled but reasoning_content is missing in assistant tool call message at index 2'],
  ])('recognizes "%s"', (message) => expect(isMissingThoughtError(message)).toBe(true));

  it.each([
    ['messages.1.content.0: Invalid `signature` in `thinking` block'],
    ['Function call is missing a thought_signature in functionCall parts.'],
    ['Expected `text`, but found `tool_use`.'],
  ])('takes "%s" for another refusal', (message) => expect(isMissingThoughtError(message)).toBe(false));
});
