import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { announce } from '../components/announcements';
import { ApiError, CHANGED_MEANWHILE, overridingFiles } from './client';

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
  /** The path of what the next call changes although files configure it. */
  const overridden = useRef<string>(undefined);
  const mutation = useMutation({
    mutationFn: async (input: Input) => {
      const path = overridden.current;
      overridden.current = undefined;
      const output = await overridingFiles(path, () => change.run(input));
      if (path !== undefined) await client.invalidateQueries({ queryKey: ['managed-objects'] });
      return output;
    },
    onSuccess: async (output, input) => {
      change.then?.(output, input);
      announce(typeof change.says === 'string' ? change.says : change.says(output));
      await askAnew();
    },
    onError: async (error, input) => {
      if (error instanceof ApiError && error.files !== undefined) {
        const { path } = error.files;
        error.override = () => {
          overridden.current = path;
          mutation.mutate(input);
        };
      }
      // The page shows a state that is over.
      if (!(error instanceof ApiError) || error.status !== CHANGED_MEANWHILE) return;
      // A form that begins anew with what is there now does not show the failure.
      announce('Nothing was done: it has been changed meanwhile. The page shows it as it is now.');
      await askAnew();
    },
  });
  return mutation;
}
