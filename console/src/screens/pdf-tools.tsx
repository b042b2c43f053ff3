import { useEffect, useState, type ReactElement } from 'react';
import { formatNumber, t } from '../texts/i18n';
import { Button } from '../ui/controls';
import { Icon } from '../ui/icon';
import styles from './document.module.css';

/** How wide a page is, in widths of its pane. */
export const ZOOMS = [1, 1.5, 2, 3] as const;
export type Zoom = (typeof ZOOMS)[number];

interface ZoomProps {
  readonly zoom: Zoom;
  readonly onZoom: (zoom: Zoom) => void;
}

/** Makes pages larger, step by step, and smaller again. */
export function ZoomButtons({ zoom, onZoom }: ZoomProps): ReactElement {
  const at = ZOOMS.indexOf(zoom);
  return (
    <>
      <Button
        look="plain"
        square
        aria-label={t('document.zoomOut')}
        isDisabled={at === 0}
        onPress={() => onZoom(ZOOMS[at - 1] ?? zoom)}
      >
        <Icon name="dash" />
      </Button>
      <Button
        look="plain"
        square
        aria-label={t('document.zoomIn')}
        isDisabled={at === ZOOMS.length - 1}
        onPress={() => onZoom(ZOOMS[at + 1] ?? zoom)}
      >
        <Icon name="plus" />
      </Button>
    </>
  );
}

interface PagesProps {
  /** From 1. */
  readonly page: number;
  readonly pages: number;
  readonly onTurn: (page: number) => void;
}

/** To the page before and the next one, and to any by its number. */
export function PageTurner({ page, pages, onTurn }: PagesProps): ReactElement {
  const [text, type] = useState('');
  useEffect(() => type(String(page)), [page]);
  const number = Number(text);
  const go = (): void => {
    if (text.trim() === '' || !Number.isInteger(number)) type(String(page));
    else onTurn(Math.min(pages, Math.max(1, number)));
  };
  return (
    <>
      <Button
        look="plain"
        square
        aria-label={t('document.pageBefore')}
        isDisabled={page === 1}
        onPress={() => onTurn(page - 1)}
      >
        <Icon name="left" />
      </Button>
      <form
        className={styles['turner']}
        onSubmit={(event) => {
          event.preventDefault();
          go();
        }}
      >
        <input
          className="input"
          inputMode="numeric"
          size={Math.max(2, String(pages).length)}
          aria-label={t('document.pageIs', { page: formatNumber(page), pages: formatNumber(pages) })}
          value={text}
          onChange={(event) => type(event.target.value)}
          onFocus={(event) => event.target.select()}
          onBlur={go}
        />
        <span className="quiet" aria-hidden="true">
          {t('document.ofPages', { pages: formatNumber(pages) })}
        </span>
      </form>
      <Button
        look="plain"
        square
        aria-label={t('document.pageNext')}
        isDisabled={page === pages}
        onPress={() => onTurn(page + 1)}
      >
        <Icon name="right" />
      </Button>
    </>
  );
}
