import { useState, type ReactElement } from 'react';
import { Link, useSearchParams } from 'wouter';
import { WritersPlace } from '../frame/writers-place';
import { changesOf } from '../search/option-changes';
import { optionsOf } from '../search/search-options';
import { t } from '../texts/i18n';
import { Button } from '../ui/controls';
import { Icon } from '../ui/icon';
import { Changes } from './search-applied';
import { Expected, type Looked } from './why-expected';
import { Explained } from './why-explained';
import styles from './why.module.css';

/** The stages of a search, and where what was expected fell out. */
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
  const options = optionsOf(address);
  const search = new URLSearchParams(address);
  for (const name of [...LOOKED, 'purpose']) search.delete(name);
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
  const isAsked = q !== '' && LOOKED.some((name) => looked[name] !== '');
  return (
    <>
      <p className={`tools small quiet ${styles['crumbs']}`}>
        <Link className="link" href={`/d/${datasetId}/search?${search.toString()}`}>
          {t('tab.search')}
        </Link>
        <Icon name="right" />
        {t('why.title')}
      </p>
      <Question key={q} q={q} onAsk={(value) => put({ q: value })} />
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
      <Expected key={JSON.stringify(looked)} datasetId={datasetId} looked={looked} onChoose={put} />
      {isAsked && <Explained datasetId={datasetId} q={q} looked={looked} purpose={purpose} options={options} />}
    </>
  );
}

function Question({ q, onAsk }: { readonly q: string; readonly onAsk: (q: string) => void }): ReactElement {
  const [text, setText] = useState(q);
  return (
    <form
      role="search"
      className={styles['question']}
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== '') onAsk(text.trim());
      }}
    >
      <label className="input">
        <Icon name="search" />
        <input
          type="search"
          value={text}
          maxLength={4096}
          aria-label={t('search.words')}
          placeholder={t('search.words')}
          onChange={(event) => setText(event.target.value)}
        />
      </label>
      {text.trim() !== q && <Button type="submit">{t('why.ask')}</Button>}
    </form>
  );
}
