import type { ReactElement } from 'react';
import { Link, useSearchParams } from 'wouter';
import { WritersPlace } from '../frame/writers-place';
import { changesOf } from '../search/option-changes';
import { optionsOf } from '../search/search-options';
import { t } from '../texts/i18n';
import { Button } from '../ui/controls';
import { Icon } from '../ui/icon';
import { SearchForm } from '../ui/search-field';
import { Note } from '../ui/states';
import { Changes } from './search-applied';
import { Expected, type Looked } from './why-expected';
import { Explained } from './why-explained';
import { SearchOverview } from './why-overview';
import styles from './why.module.css';

/** What a search did as a whole; once something is named that it should have found, where that fell out. */
export default function Why({ datasetId }: { readonly datasetId: string }): ReactElement {
  return (
    <WritersPlace datasetId={datasetId} tab="search" title={t('why.title')}>
      {() => <WhyPage datasetId={datasetId} />}
    </WritersPlace>
  );
}

/** Names of the address that say what is looked for. */
const LOOKED = ['text', 'document', 'chunk'] as const;

function WhyPage({ datasetId }: { readonly datasetId: string }): ReactElement {
  const [address, setAddress] = useSearchParams();
  const q = address.get('q') ?? '';
  const looked: Looked = {
    text: address.get('text') ?? '',
    document: address.get('document') ?? '',
    chunk: address.get('chunk') ?? '',
  };
  const purpose = address.get('purpose') === 'chat' ? 'chat' : 'search';
  const isFollowUp = purpose === 'chat' && address.get('follow_up') === 'yes';
  const options = optionsOf(address);
  const search = new URLSearchParams(address);
  for (const name of [...LOOKED, 'purpose', 'follow_up', 'wanted']) search.delete(name);
  const put = (values: Readonly<Record<string, string>>): void =>
    setAddress((before) => {
      const after = new URLSearchParams(before);
      for (const [name, value] of Object.entries(values)) {
        if (value === '') after.delete(name);
        else after.set(name, value);
      }
      return after;
    });
  const changes = changesOf({}, options);
  const wanted = address.get('wanted');
  const isNamed = LOOKED.some((name) => looked[name] !== '');
  return (
    <>
      <p className={`tools small quiet ${styles['crumbs']}`}>
        <Link className="link" href={`/d/${datasetId}/search?${search.toString()}`}>
          {t('tab.search')}
        </Link>
        <Icon name="right" />
        {t('why.title')}
      </p>
      <SearchForm
        key={q}
        label={t('search.words')}
        q={q}
        button={(isChanged) => isChanged && <Button type="submit">{t('why.ask')}</Button>}
        onSearch={(value) => put({ q: value, follow_up: '', wanted: '' })}
      />
      <div className={`tools ${styles['purpose']}`} role="group" aria-label={t('why.purpose')}>
        {(['search', 'chat'] as const).map((name) => (
          <button
            key={name}
            type="button"
            className={name === purpose ? 'chip on' : 'chip'}
            aria-pressed={name === purpose}
            onClick={() => put({ purpose: name === 'chat' ? 'chat' : '' })}
          >
            {t(`purpose.${name}`)}
          </button>
        ))}
      </div>
      {changes.length > 0 && <Changes changes={changes} />}
      {wanted !== null && <Wanted answer={wanted} />}
      <Expected key={JSON.stringify(looked)} datasetId={datasetId} looked={looked} onChoose={put} />
      {q !== '' && !isNamed && (
        <SearchOverview
          datasetId={datasetId}
          q={q}
          purpose={purpose}
          isFollowUp={isFollowUp}
          options={options}
          onLook={(chunk) => put({ chunk })}
        />
      )}
      {q !== '' && isNamed && (
        <>
          <Explained
            datasetId={datasetId}
            q={q}
            looked={looked}
            purpose={purpose}
            isFollowUp={isFollowUp}
            options={options}
          />
          <p className={styles['whole']}>
            <Button onPress={() => put({ text: '', document: '', chunk: '' })}>{t('why.whole')}</Button>
          </p>
        </>
      )}
    </>
  );
}

/** The answer was rated down: what was found is known, what was to be found has to be named. */
function Wanted({ answer }: { readonly answer: string }): ReactElement {
  return (
    <Note icon="info" title={t('why.ratedDown')}>
      {answer !== '' && <p>{t('questions.expected', { answer })}</p>}
      <p>{t('why.ratedDownHelp')}</p>
    </Note>
  );
}
