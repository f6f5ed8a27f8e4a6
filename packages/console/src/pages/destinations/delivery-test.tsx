import type { ReactNode } from 'react';
import type { Schema } from '../../api/types';

/** What a screen reader says of a test. */
export function testSentence({ delivered }: Schema<'DestinationTestResult'>): string {
  return delivered ? 'The receiver has taken the test' : 'The receiver has not taken the test';
}

/** What came back when a destination was tried. */
export function DeliveryTest({ result }: { readonly result: Schema<'DestinationTestResult'> }): ReactNode {
  if (result.delivered) return <p>The receiver has taken the generation of the test.</p>;
  return (
    <div className="failure" role="alert">
      <p>
        The receiver has not taken the generation of the test{result.status !== null && ` (${result.status})`}:{' '}
        {result.message}
      </p>
    </div>
  );
}
