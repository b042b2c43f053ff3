import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { Problem } from '../api/problem';
import { isAnyOutdated } from './outdated';

it('something is out of date while it is shown and the attempts to fetch it again fail', async () => {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  let fault: Problem | undefined;
  const queryFn = async (): Promise<string> => {
    if (fault !== undefined) throw fault;
    return 'processing';
  };
  const observer = new QueryObserver(queries, { queryKey: ['document'], queryFn });
  const leave = observer.subscribe(() => undefined);
  await observer.refetch();
  expect(isAnyOutdated(queries)).toBe(false);
  fault = new Problem(503, undefined);
  await observer.refetch();
  expect(isAnyOutdated(queries)).toBe(true);
  expect(observer.getCurrentResult().data).toBe('processing');
  leave();
  expect(isAnyOutdated(queries)).toBe(false);
  const back = observer.subscribe(() => undefined);
  fault = undefined;
  await observer.refetch();
  expect(isAnyOutdated(queries)).toBe(false);
  back();
});
