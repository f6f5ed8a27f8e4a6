import type { RequestForm, RoutedBody } from '../request/request-form.js';

/**
 * Counts the bytes of what was sent as text, when it is asked for: where a provider reports nothing. An answer that was delivered is
 * charged and recorded in any case, so a body of a form in which nothing can be counted has as many bytes as it came with.
 *
 * @param bodyBytes of the request as it came
 */
export function promptBytesOf<Body extends RoutedBody>(
  form: Pick<RequestForm<Body>, 'promptBytesOf'>,
  body: Body,
  bodyBytes: number,
): () => number {
  return () => {
    try {
      return form.promptBytesOf(body);
    } catch {
      return bodyBytes;
    }
  };
}
