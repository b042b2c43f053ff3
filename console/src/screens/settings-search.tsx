import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import type { Schema } from '../api/client';
import { useIsQuoting } from '../frame/models';
import { writePolicy } from '../frame/policy';
import { valuesOf } from '../search/option-changes';
import { optionName, valueWords } from '../search/option-words';
import { useOwnOptions } from '../search/own-options';
import { t } from '../texts/i18n';
import { Button } from '../ui/controls';
import { Row, Rows } from '../ui/rows';
import { ErrorNote, Loading } from '../ui/states';
import styles from './choice.module.css';

/** What the dataset has for its searches and answers in place of the defaults, and the way back to these. */
export function OwnSearch({ dataset }: { readonly dataset: Schema<'Dataset'> }): ReactElement {
  const { id, effective_permissions: permissions } = dataset;
  const queries = useQueryClient();
  const own = useOwnOptions(id);
  const isQuoting = useIsQuoting();
  const resetting = useMutation({
    mutationFn: (option: string) =>
      writePolicy(id, t('settings.searchComment'), ({ retrieval_defaults: { ...kept } = {}, ...policy }) => {
        Reflect.deleteProperty(kept, option);
        return { ...policy, retrieval_defaults: kept };
      }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['search'] }),
  });
  const mayChange = permissions.includes('policies:write');
  const options = Object.entries(own ?? {});
  return (
    <section className={styles['part']}>
      <h2>{t('settings.search')}</h2>
      <p className="quiet small">{t(options.length === 0 ? 'settings.searchUsual' : 'settings.searchWhy')}</p>
      {isQuoting && <p className="quiet small">{t('settings.quotes')}</p>}
      {own === undefined && <Loading lines={2} />}
      {options.length > 0 && (
        <Rows label={t('settings.search')}>
          {options.map(([option, value]) => {
            const words = wordsOf(option, value);
            return (
              <Row key={option} title={words} about={[]}>
                {mayChange && (
                  <Button
                    aria-label={t('settings.toDefaultOf', { option: words })}
                    isDisabled={resetting.isPending}
                    onPress={() => resetting.mutate(option)}
                  >
                    {t('settings.toDefault')}
                  </Button>
                )}
              </Row>
            );
          })}
        </Rows>
      )}
      {resetting.error !== null && <ErrorNote error={resetting.error} />}
    </section>
  );
}

/** "Share of meaning: 1": of an option with several values each. */
function wordsOf(option: string, value: unknown): string {
  return [...valuesOf({ [option]: value })]
    .map(([name, inner]) => t('settings.searchValue', { option: optionName(name), value: valueWords(name, inner) }))
    .join(', ');
}
