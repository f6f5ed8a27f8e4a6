import { Component, type ReactNode } from 'react';
import { Page } from './page';

interface LoadFailureProps {
  /** What is shown: where that changes, it is tried again. */
  readonly location: string;
  readonly children: ReactNode;
}

/** Stands in for a page that could not be loaded or shown: the service may have been updated since the window was opened. */
export class LoadFailure extends Component<LoadFailureProps, { readonly hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError(): { readonly hasFailed: boolean } {
    return { hasFailed: true };
  }

  override componentDidUpdate({ location }: LoadFailureProps): void {
    if (this.state.hasFailed && location !== this.props.location) this.setState({ hasFailed: false });
  }

  override render(): ReactNode {
    if (!this.state.hasFailed) return this.props.children;
    return (
      <Page title="The page could not be loaded">
        <div className="failure" role="alert">
          <p>There may be a newer version of the console than the one in this window, or no connection.</p>
          <button type="button" onClick={() => window.location.reload()}>
            Load it again
          </button>
        </div>
      </Page>
    );
  }
}
