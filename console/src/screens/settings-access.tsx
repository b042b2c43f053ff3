import { useState, type ReactElement } from 'react';
import { Form } from 'react-aria-components';
import { Link } from 'wouter';
import type { Schema } from '../api/client';
import { ownTenant } from '../frame/refused';
import { t, type TextKey } from '../texts/i18n';
import { More, Row, Rows } from '../ui/rows';
import { ErrorNote, Loading } from '../ui/states';
import styles from './choice.module.css';
import { useMembers } from './members';
import { SaveLine, useChange, type Kept } from './settings-change';

type Dataset = Schema<'Dataset'>;
type Me = Schema<'MeResponse'>;
type Member = Schema<'Member'>;

const SIGHTS = ['only_me', 'all_team_members', 'partial_members'] as const satisfies readonly Dataset['acl'][];

interface AccessProps {
  readonly kept: Kept;
  readonly me: Me;
  /** Whether it is the owner, or an administrator. */
  readonly mayShare: boolean;
  readonly onReload: () => void;
}

/** Who sees the dataset and why, and the choice of it. */
export function Access({ kept, me, mayShare, onReload }: AccessProps): ReactElement {
  const { dataset } = kept;
  const mayList = me.permissions.includes('members:manage');
  const tenant = ownTenant(me);
  const members = useMembers(tenant?.id ?? '', mayList && tenant !== undefined);
  const [chosen, choose] = useState<Dataset['acl']>();
  const [picked, pick] = useState<readonly string[]>();
  const changing = useChange(kept);
  const acl = chosen ?? dataset.acl;
  const list = picked ?? dataset.partial_member_list;
  const isListChanged = acl === 'partial_members' && !isSame(list, dataset.partial_member_list);
  const isChanged = acl !== dataset.acl || isListChanged;
  // Members are chosen from a list that not everybody sees; what holds already can be kept.
  const offered = SIGHTS.filter((sight) => sight !== 'partial_members' || mayList || dataset.acl === sight);
  const all = members.data?.pages.flatMap(({ items }) => items) ?? [];
  const save = (): void =>
    changing.mutate(
      { acl, ...(isListChanged ? { partial_member_list: [...list] } : {}) },
      {
        onSuccess: () => {
          choose(undefined);
          pick(undefined);
        },
      },
    );
  return (
    <Form
      className={styles['part']}
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <h2>{t('access.title')}</h2>
      {mayShare ? (
        <fieldset className={`choices ${styles['explained']}`}>
          <legend>{t('dataset.whoSees')}</legend>
          {offered.map((sight) => (
            <label key={sight}>
              <input type="radio" name="sight" checked={acl === sight} onChange={() => choose(sight)} />
              <span>
                {t(sightKey(sight, dataset, me))}
                <small>{t(`sightMeans.${sight}`)}</small>
              </span>
            </label>
          ))}
          {offered.length < SIGHTS.length && <p className="quiet small">{t('access.someByManagers')}</p>}
        </fieldset>
      ) : (
        <p>{t('access.notYours')}</p>
      )}
      {mayShare && acl === 'partial_members' && (
        <Picked members={all} mayList={mayList} owner={dataset.owner_id} value={list} onChange={pick} />
      )}
      {mayShare && <SaveLine changing={changing} isChanged={isChanged} onReload={onReload} />}
      <h3>{t('access.now')}</h3>
      {members.error !== null && <ErrorNote error={members.error} onRetry={() => void members.refetch()} />}
      {mayList && members.isPending && <Loading />}
      {mayList && members.data !== undefined && <Seeing dataset={dataset} members={all} mine={me.account.id} />}
      {!mayList && <p>{accessInWords(dataset, me.account.id)}</p>}
      <More list={members} />
      <p className="quiet small">{t('access.others')}</p>
    </Form>
  );
}

const isSame = (left: readonly string[], right: readonly string[]): boolean =>
  left.length === right.length && left.every((id) => right.includes(id));

/** "Only me" is not true for an administrator who looks at a colleague's dataset. */
function sightKey(sight: Dataset['acl'], dataset: Dataset, me: Me): TextKey {
  return sight === 'only_me' && dataset.owner_id !== me.account.id ? 'access.onlyOwner' : `sight.${sight}`;
}

interface PickedProps {
  readonly members: readonly Member[];
  readonly mayList: boolean;
  readonly owner: string;
  readonly value: readonly string[];
  readonly onChange: (ids: readonly string[]) => void;
}

/** The members that see a dataset beside its owner. */
function Picked({ members, mayList, owner, value, onChange }: PickedProps): ReactElement {
  if (!mayList) return <p className="quiet small">{t('access.cannotPick', { count: value.length })}</p>;
  const others = members.filter(({ account_id: id }) => id !== owner);
  if (others.length === 0)
    return (
      <p className="small">
        {t('access.noOthers')}{' '}
        <Link className="link" href="/people">
          {t('people.title')}
        </Link>
      </p>
    );
  return (
    <fieldset className={`choices ${styles['scroll']}`}>
      <legend>{t('access.pick')}</legend>
      {others.map(({ account_id: id, name, email, role }) => (
        <label key={id}>
          <input
            type="checkbox"
            checked={value.includes(id)}
            onChange={(event) => onChange(event.target.checked ? [...value, id] : value.filter((one) => one !== id))}
          />
          <span className={styles['member']}>
            {name === '' ? email : `${name}, ${email}`} <span className="quiet">{t(`role.${role}`)}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

/** Each member who sees it, why, and what the role lets them do there. */
function Seeing({
  dataset,
  members,
  mine,
}: {
  readonly dataset: Dataset;
  readonly members: readonly Member[];
  readonly mine: string;
}): ReactElement {
  const seeing = members.flatMap((member) => {
    const why = whyOf(dataset, member);
    return why === undefined ? [] : [{ member, why }];
  });
  return (
    <Rows label={t('access.now')}>
      {seeing.map(({ member: { account_id: id, name, email, role }, why }) => (
        <Row key={id} title={name || email} about={[t(why), t(`does.${role}`)]}>
          <span>{t(`role.${role}`)}</span>
          {id === mine && <span className="quiet small">{t('people.you')}</span>}
        </Row>
      ))}
    </Rows>
  );
}

function whyOf(dataset: Dataset, { account_id: id }: Member): TextKey | undefined {
  if (id === dataset.owner_id) return 'access.byOwner';
  if (dataset.acl === 'all_team_members') return 'access.byAll';
  return dataset.acl === 'partial_members' && dataset.partial_member_list.includes(id) ? 'access.byList' : undefined;
}

/** Why one sees a dataset and who else does, for who may not see the names of members. */
export function accessInWords(dataset: Dataset, mine: string): string {
  const isMine = dataset.owner_id === mine;
  const count = dataset.partial_member_list.filter((id) => id !== mine).length;
  switch (dataset.acl) {
    case 'only_me':
      return `${t('access.youOwn')} ${t('access.nobodyElse')}`;
    case 'all_team_members':
      return isMine ? `${t('access.youOwn')} ${t('access.allToo')}` : t('access.youToo');
    case 'partial_members':
      return isMine
        ? `${t('access.youOwn')} ${t('access.listToo', { count })}`
        : `${t('access.youChosen')} ${t('access.ownerToo', { count })}`;
  }
}
