import { useQuery } from '@tanstack/react-query';
import { api, dataOf } from '../api/client';
import { useMe } from '../frame/queries';
import type { Row } from './document-pages';

/** More are looked up on their own pages. */
const MOST = 100;

/** Why a document is in quarantine, for who may know; undefined for another one, and until it is known. */
export function useHeldReason({ id, dataset_id: dataset, status }: Row): string | undefined {
  const me = useMe();
  const mayKnow = me.data?.permissions.includes('governance:read') === true;
  const held = useQuery({
    queryKey: ['documents', dataset, 'held'],
    queryFn: ({ signal }) => {
      const query = { dataset_id: dataset, limit: MOST };
      return dataOf(api.GET('/api/v1/governance/quarantine', { params: { query }, signal }));
    },
    enabled: mayKnow && status === 'quarantined',
  });
  return status === 'quarantined' ? held.data?.items.find((one) => one.document_id === id)?.reason : undefined;
}
