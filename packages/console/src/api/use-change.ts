import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import { announce } from '../components/announcements';
import { ApiError, CHANGED_MEANWHILE } from './client';

/** What a change is, and what follows from it. */
interface Change<Input, Output> {
  readonly run: (input: Input) => Promise<Output>;
  /** The first parts of the query keys that are asked anew. */
  readonly invalidates: readonly string[];
  /** What a screen reader says, and the page shows for a moment, when it is done. */
  readonly says: string | ((output: Output) => string);
  readonly then?: (output: Output, input: Input) => void;
}

/** A write: it is sent once, what it changes is asked anew, and its end is said. */
export function useChange<Output, Input = void>(
  change: Change<Input, Output>,
): UseMutationResult<Output, Error, Input> {
  const client = useQueryClient();
  const askAnew = async (): Promise<void> => {
    await Promise.all(change.invalidates.map((first) => client.invalidateQueries({ queryKey: [first] })));
  };
  return useMutation({
    mutationFn: change.run,
    onSuccess: async (output, input) => {
      change.then?.(output, input);
      announce(typeof change.says === 'string' ? change.says : change.says(output));
      await askAnew();
    },
    onError: async (error) => {
      // The page shows a state that is over.
      if (error instanceof ApiError && error.status === CHANGED_MEANWHILE) await askAnew();
    },
  });
}
