import { useEffect, useState, type ReactElement } from 'react';
import { Link, useLocation } from 'wouter';
import type { Schema } from '../api/client';
import { chooseTenant, chosenTenant, tellActing } from '../api/session';
import { chooseLanguage, currentLanguage, formatNumber, LANGUAGES, t } from '../texts/i18n';
import { Dot, signOf } from '../ui/counts';
import { Button } from '../ui/controls';
import { Icon, Wordmark } from '../ui/icon';
import { ROOT } from '../api/root';
import { MoreDatasets, useFoundDatasets } from './find-dataset';
import { useMenu } from './menu';
import { NewDataset } from './new-dataset';
import { organisationName, organisationTitle } from './organisation';
import { openingOf } from './opening';
import { useDatasets, useMe } from './queries';
import { SignOut } from './sign-out';
import { chooseTheme, currentTheme, THEMES } from './theme';

interface RailProps {
  /** Where it is a menu. */
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** After something that changes every text. */
  readonly onRedraw: () => void;
}

export function Rail({ isOpen, onClose, onRedraw }: RailProps): ReactElement {
  const datasets = useDatasets();
  const found = useFoundDatasets(datasets.data?.items ?? []);
  const me = useMe();
  const [location] = useLocation();
  const [isMaking, make] = useState(false);
  const menu = useMenu(isOpen, onClose);
  const isWriter = me.data?.permissions.includes('datasets:write') === true;
  return (
    <nav ref={menu} className={isOpen ? 'rail open' : 'rail'} aria-label={t('frame.main')}>
      <div className="rail-head">
        <Wordmark />
        <Button look="plain" square aria-label={t('close')} onPress={onClose}>
          <Icon name="cross" />
        </Button>
      </div>
      <div className="rail-home">
        <Link href="/" className={location === '/' ? 'here' : ''}>
          <Icon name="ask" />
          {t('frame.start')}
        </Link>
        <Link href="/conversations" className={location === '/conversations' ? 'here' : ''}>
          <Icon name="clock" />
          {t('conversations.title')}
        </Link>
      </div>
      <div className="rail-title">
        {t('frame.datasets')}
        {isWriter && (
          <span className="push">
            <Button look="plain" square aria-label={t('dataset.new')} onPress={() => make(true)}>
              <Icon name="plus" />
            </Button>
          </span>
        )}
      </div>
      {found.field}
      <div className="rail-list">
        {found.items.map((dataset) => (
          <Link
            key={dataset.id}
            href={openingOf(dataset)}
            className={location.startsWith(`/d/${dataset.id}/`) ? 'here' : ''}
          >
            <Dot look={signOf(dataset.document_counts)} />
            <span className="cut">{dataset.name}</span>
            <small>{formatNumber(dataset.document_counts.total)}</small>
          </Link>
        ))}
        <MoreDatasets page={datasets.data} />
      </div>
      <RailFoot onRedraw={onRedraw} />
      {isMaking && <NewDataset onClose={() => make(false)} />}
    </nav>
  );
}

function RailFoot({ onRedraw }: Pick<RailProps, 'onRedraw'>): ReactElement {
  const me = useMe();
  const [location] = useLocation();
  const tenants = me.data?.tenants ?? [];
  const theme = currentTheme();
  const acting = me.data?.tenant_id ?? undefined;
  useEffect(() => tellActing(acting), [acting]);
  return (
    <div className="rail-foot">
      {me.data?.permissions.includes('members:manage') === true && (
        <Link href="/people" className={location === '/people' ? 'here' : ''}>
          <Icon name="people" />
          {t('people.title')}
        </Link>
      )}
      {tenants.length > 0 && (
        <Link href="/keys" className={location === '/keys' ? 'here' : ''}>
          <Icon name="key" />
          {t('keys.title')}
        </Link>
      )}
      <a href={new URL('docs', ROOT).href} target="_blank" rel="noopener" title={t('frame.newTab')}>
        <Icon name="info" />
        {t('frame.api')}
        <span className="push tools">
          <Icon name="away" />
        </span>
        <span className="hidden-text">{t('frame.newTab')}</span>
      </a>
      <label className="rail-choice">
        <Icon name="theme" />
        {t('frame.theme')}
        <select
          value={theme}
          onChange={(event) => {
            chooseTheme(THEMES.find((name) => name === event.target.value) ?? 'system');
            onRedraw();
          }}
        >
          {THEMES.map((name) => (
            <option key={name} value={name}>
              {t(`theme.${name}`)}
            </option>
          ))}
        </select>
      </label>
      <label className="rail-choice">
        <Icon name="globe" />
        {t('frame.language')}
        <select value={currentLanguage()} onChange={(event) => void chooseLanguage(event.target.value).then(onRedraw)}>
          {Object.entries(LANGUAGES).map(([tag, name]) => (
            <option key={tag} value={tag}>
              {name}
            </option>
          ))}
        </select>
      </label>
      {tenants.length > 1 && (
        <label className="rail-choice">
          <Icon name="folder" />
          {t('frame.tenant')}
          <select
            value={chosenTenant() ?? me.data?.tenant_id ?? ''}
            onChange={(event) => {
              chooseTenant(event.target.value);
              onRedraw();
            }}
          >
            {tenants.map(({ id, name }) => (
              <option key={id} value={id}>
                {organisationTitle(name)}
              </option>
            ))}
          </select>
        </label>
      )}
      {me.data !== undefined && (
        <div className="person">
          <span aria-hidden="true">{initialsOf(me.data.account.name || me.data.account.email)}</span>
          <Link href="/account" className="cut" title={t('account.title')}>
            <b>{me.data.account.name || me.data.account.email}</b>
          </Link>
          <small className="cut">{organisationOf(me.data)}</small>
          <span className="person-out">
            <SignOut look="plain" />
          </span>
        </div>
      )}
    </div>
  );
}

/** The organisation; of one that nobody has named, which is the first of an installation, the role in it says more. */
function organisationOf({ tenants, tenant_id: id }: Schema<'MeResponse'>): string | undefined {
  const organisation = tenants.find((tenant) => tenant.id === id);
  return organisation && (organisationName(organisation.name) ?? t(`role.${organisation.role}`));
}

function initialsOf(name: string): string {
  const words = name.split(/[\s.@_-]+/).filter((word) => word !== '');
  return words
    .slice(0, 2)
    .map((word) => word[0]?.toUpperCase())
    .join('');
}
