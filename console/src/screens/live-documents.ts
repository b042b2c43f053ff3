import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { followDocuments } from '../api/document-events';
import { onArrival } from '../uploads/queue';
import { showChange } from './document-pages';

/** Lists and counts are asked for at most so often, however much changes. */
const REFRESH_MS = 3_000;
/** Changes that come together are asked for together. */
const TOGETHER_MS = 200;

/** Keeps what is shown of a dataset's documents as it is now. False while changes are not told, so that lists have to be asked for. */
export function useLiveDocuments(datasetId: string): boolean {
  const queries = useQueryClient();
  const [isLive, setLive] = useState(false);
  useEffect(() => {
    const refresh = new Refresh(queries, datasetId);
    const leave = followDocuments(datasetId, {
      onLive: setLive,
      onEvent: (event) => {
        const isShown = event.type === 'document.changed' && showChange(queries, event.document);
        if (!isShown) refresh.schedule();
      },
    });
    const stop = onArrival((arrived) => {
      if (arrived === datasetId) refresh.schedule();
    });
    return () => {
      leave();
      stop();
      refresh.stop();
    };
  }, [datasetId, queries]);
  return isLive;
}

class Refresh {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private last = 0;

  constructor(
    private readonly queries: QueryClient,
    private readonly datasetId: string,
  ) {}

  schedule(): void {
    this.timer ??= setTimeout(() => this.now(), Math.max(TOGETHER_MS, this.last + REFRESH_MS - Date.now()));
  }

  stop(): void {
    clearTimeout(this.timer);
  }

  private now(): void {
    this.timer = undefined;
    this.last = Date.now();
    void this.queries.invalidateQueries({ queryKey: ['documents', this.datasetId] });
    void this.queries.invalidateQueries({ queryKey: ['facets', this.datasetId] });
    void this.queries.invalidateQueries({ queryKey: ['datasets'] });
  }
}
