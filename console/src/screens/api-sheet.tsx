import { useState, type ReactElement } from 'react';
import { ROOT } from '../api/root';
import { chosenTenant } from '../api/session';
import { SNIPPETS, TOKEN_VARIABLE, type Language } from '../search/api-snippets';
import type { SearchOptions } from '../search/search-options';
import { requestOf } from '../search/use-search';
import { t } from '../texts/i18n';
import { CopyButton } from '../ui/copy-button';
import { Button, Sheet } from '../ui/controls';
import styles from './search.module.css';

const NAMES: Readonly<Record<Language, string>> = { curl: 'curl', typescript: 'TypeScript', python: 'Python' };

interface ApiSheetProps {
  readonly datasetId: string;
  readonly q: string;
  readonly options: SearchOptions;
  readonly onClose: () => void;
}

/** The request of what is on the screen, for programs. */
export function ApiSheet({ datasetId, q, options, onClose }: ApiSheetProps): ReactElement {
  const [language, choose] = useState<Language>('curl');
  const request = {
    url: new URL('api/v1/retrieval/search', ROOT).href,
    tenantId: chosenTenant(),
    body: requestOf(datasetId, q, options),
  };
  const code = SNIPPETS[language](request);
  return (
    <Sheet label={t('search.api')} isWide onClose={onClose}>
      <div className="stack">
        <h1>{t('search.api')}</h1>
        <div className="tools" role="group" aria-label={t('api.language')}>
          {(Object.keys(NAMES) as Language[]).map((name) => (
            <button
              key={name}
              type="button"
              className={name === language ? 'chip on' : 'chip'}
              aria-pressed={name === language}
              onClick={() => choose(name)}
            >
              {NAMES[name]}
            </button>
          ))}
          <span className="push">
            <CopyButton text={code} />
          </span>
        </div>
        <pre className={`mono ${styles['code']}`} tabIndex={0} data-code={language}>
          {code}
        </pre>
        <p className="small quiet">{t('api.token', { name: TOKEN_VARIABLE })}</p>
        <p>
          <Button onPress={onClose}>{t('close')}</Button>
        </p>
      </div>
    </Sheet>
  );
}
