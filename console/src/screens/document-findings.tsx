import { useQuery } from '@tanstack/react-query';
import { useMemo, type ReactElement } from 'react';
import { Link } from 'wouter';
import { api, dataOf, type Schema } from '../api/client';
import { useMe } from '../frame/queries';
import type { Stretch } from '../search/text-pieces';
import { formatNumber, t } from '../texts/i18n';
import { Icon } from '../ui/icon';
import { ErrorNote } from '../ui/states';
import { placeAddress } from './addresses';
import { useShownRevision } from './document-revisions';
import styles from './document.module.css';

type Detail = Schema<'DocumentDetail'>;
type Finding = Schema<'GovernanceFinding'>;

/** A finding in the text, where it stands. */
export interface TextFinding extends Stretch {
  readonly label: string;
}

const PAGE = 100;
/** Marks beyond these are not drawn; their number is said. */
const MOST_MARKS = 1000;
/** Rows of the list; the others are marked in the text. */
const MOST_ROWS = 40;
const NONE: readonly Finding[] = [];

interface Findings {
  readonly items: readonly Finding[];
  readonly total: number;
  readonly error: Error | null;
}

async function fetchFindings(documentId: string, signal: AbortSignal): Promise<Pick<Findings, 'items' | 'total'>> {
  const items: Finding[] = [];
  for (;;) {
    const query = { document_id: documentId, limit: PAGE, skip: items.length };
    const page = await dataOf(api.GET('/api/v1/governance/findings', { params: { query }, signal }));
    items.push(...page.items);
    if (page.items.length < PAGE || items.length >= MOST_MARKS) return { items, total: page.total };
  }
}

/** What detectors found in the shown revision, for who may see that. */
export function useFindings(detail: Detail): Findings {
  const me = useMe();
  const shown = useShownRevision(detail);
  const findings = useQuery({
    queryKey: ['findings', detail.id, detail.updated_at],
    queryFn: ({ signal }) => fetchFindings(detail.id, signal),
    enabled: me.data?.permissions.includes('governance:read') === true,
  });
  const all = findings.data?.items ?? NONE;
  const items = useMemo(() => all.filter(({ revision }) => revision === shown), [all, shown]);
  const others = all.length - items.length;
  return { items, total: Math.max(0, (findings.data?.total ?? 0) - others), error: findings.error };
}

export const labelOf = ({ entity_type: type, action, accepted_at: accepted }: Finding): string =>
  `${t(`entity.${type}`)}: ${t(accepted === null ? `finding.${action}` : 'finding.accepted')}`;

/** Those in the text, as marks of it. */
export function useTextFindings(detail: Detail): readonly TextFinding[] {
  const { items } = useFindings(detail);
  return useMemo(
    () =>
      items
        .filter(({ place }) => place === 'text')
        .map((finding) => ({ from: finding.start, to: finding.end, label: labelOf(finding) })),
    [items],
  );
}

/** The findings of the document as a list; each leads to its place. Nothing for who may not see them, and where there are none. */
export function FindingList({ detail }: { readonly detail: Detail }): ReactElement | null {
  const { items, total, error } = useFindings(detail);
  if (error !== null) return <ErrorNote error={error} />;
  if (items.length === 0) return null;
  return (
    <section>
      <h2>
        {t('finding.all')} <span className="quiet small">{formatNumber(total)}</span>
      </h2>
      <ul>
        {items.slice(0, MOST_ROWS).map((finding) => (
          <li key={finding.id} className={styles['warned']}>
            <Icon name="warn" />
            <FindingRow detail={detail} finding={finding} />
          </li>
        ))}
      </ul>
      {total > MOST_ROWS && <p className="quiet small">{t('finding.more', { count: total - MOST_ROWS })}</p>}
    </section>
  );
}

function FindingRow({ detail, finding }: { readonly detail: Detail; readonly finding: Finding }): ReactElement {
  const { place, page, start, end } = finding;
  if (place !== 'text')
    return (
      <span>
        {labelOf(finding)} <span className="quiet">{t(`finding.in_${place}`)}</span>
      </span>
    );
  const { id: document_id, dataset_id } = detail;
  const citation = { dataset_id, document_id, source_char_start: start, source_char_end: end, page };
  return (
    <Link className="link" href={`${placeAddress(citation)}&view=text`}>
      {labelOf(finding)}
      {page !== null && `, ${t('place.page', { page })}`}
    </Link>
  );
}
