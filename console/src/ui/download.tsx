import { useState, type ReactElement } from 'react';
import { fetchRoute } from '../api/client';
import { Button } from './controls';
import { ErrorNote } from './states';

const KEPT_MS = 60_000;

interface DownloadProps {
  /** Of the route, below the service's address. */
  readonly route: string;
  /** Of the file. */
  readonly name: string;
  readonly label: string;
}

/** Fetched with the credential, handed to the browser as a file: no token stands in an address. */
export function Download({ route, name, label }: DownloadProps): ReactElement {
  const [error, setError] = useState<unknown>();
  const download = async (): Promise<void> => {
    try {
      const response = await fetchRoute(route);
      const address = URL.createObjectURL(await response.blob());
      const link = Object.assign(document.createElement('a'), { href: address, download: name });
      link.click();
      setTimeout(() => URL.revokeObjectURL(address), KEPT_MS);
    } catch (problem) {
      setError(problem);
    }
  };
  return (
    <>
      {error !== undefined && <ErrorNote error={error} />}
      <Button onPress={() => void download()}>{label}</Button>
    </>
  );
}
