import { Component, type ReactNode } from 'react';
import { ErrorPage } from '../ui/states';

interface BoundaryState {
  readonly error: unknown;
}

/** A page that broke says so in its place; the frame and uploads go on. */
export class Boundary extends Component<{ readonly children: ReactNode }, BoundaryState> {
  override state: BoundaryState = { error: undefined };

  static getDerivedStateFromError(error: unknown): BoundaryState {
    return { error };
  }

  override render(): ReactNode {
    if (this.state.error === undefined) return this.props.children;
    return <ErrorPage error={this.state.error} onRetry={() => this.setState({ error: undefined })} />;
  }
}
