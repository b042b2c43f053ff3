import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { api, dataOf, inTenant, type Schema } from '../api/client';
import { t } from '../texts/i18n';
import { Icon } from '../ui/icon';
import { useDataset, useMe } from './queries';

/** How many belong to the organisation, for who may list them. */
function useMemberCount(tenantId: string | undefined): number | undefined {
  const me = useMe(tenantId);
  const id = me.data?.tenant_id ?? '';
  const mayList = me.data?.permissions.includes('members:manage') === true && id !== '';
  const members = useQuery({
    queryKey: ['members', id, 'count'],
    enabled: mayList,
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/api/v1/tenants/{id}/members', {
          params: { path: { id }, query: { limit: 1 } },
          signal,
          ...inTenant(tenantId),
        }),
      ),
  });
  return members.data?.total;
}

/** Who will see what is uploaded to a dataset of an organisation, in words; undefined: of the one that is chosen. */
export function useWhoSees(dataset: Schema<'Dataset'> | undefined, tenantId?: string): string {
  const me = useMe(tenantId);
  const members = useMemberCount(tenantId);
  if (dataset === undefined) return '';
  const { acl, owner_id: owner, partial_member_list: chosen } = dataset;
  if (acl === 'only_me') return t(owner === me.data?.account.id ? 'sees.me' : 'sees.only_me');
  if (acl === 'partial_members') return t('sees.partial_members', { count: chosen.length });
  return members === undefined ? t('sees.all_team_members') : t('sees.allCounted', { count: members });
}

/** The same as a line, to be read before anything is sent. */
export function WhoSees({ datasetId }: { readonly datasetId: string }): ReactElement {
  const dataset = useDataset(datasetId);
  const who = useWhoSees(dataset.data);
  return (
    <p className="who">
      <Icon name="people" />
      {who === '' ? '' : t('sees.line', { who })}
    </p>
  );
}
