import { useLayoutEffect, useState, type ComponentType, type ReactElement, type ReactNode } from 'react';
import { MissingCode } from './missing-code';

interface OnDemand<Props> {
  (props: Props): ReactElement;
  /** Fetches the code ahead: what is shown afterwards is there at once. */
  readonly fetch: () => Promise<void>;
}

/**
 * A component whose code is fetched when it is shown, or ahead. React's own `lazy` does the same, but what replaces the fallback of a `Suspense`
 * is held back for 300 ms, and code that has come already shows the fallback, too.
 */
export function onDemand<Props extends object>(
  load: () => Promise<{ readonly default: ComponentType<Props> }>,
  meanwhile: ReactNode,
): OnDemand<Props> {
  let Loaded: ComponentType<Props> | undefined;
  const fetch = async (): Promise<void> => {
    Loaded ??= (await load()).default;
  };
  function Shown(props: Props): ReactElement {
    const [isHere, arrive] = useState(Loaded !== undefined);
    const [failure, fail] = useState<{ readonly error: unknown }>();
    useLayoutEffect(() => {
      if (isHere) return undefined;
      let isLeft = false;
      fetch().then(
        () => {
          if (!isLeft) arrive(true);
        },
        (error: unknown) => {
          if (!isLeft) fail({ error: new MissingCode(String(error)) });
        },
      );
      return () => {
        isLeft = true;
      };
    }, [isHere]);
    if (failure !== undefined) throw failure.error;
    return Loaded === undefined ? <>{meanwhile}</> : <Loaded {...props} />;
  }
  return Object.assign(Shown, { fetch });
}
