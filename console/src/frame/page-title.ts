import { useEffect } from 'react';

export const PRODUCT = 'Knowledge base';

/** Which page this is, in the browser's tab and for who does not see it: the most particular first. Empty parts are left out. */
export function usePageTitle(...parts: readonly string[]): void {
  const title = [...parts.filter((part) => part !== ''), PRODUCT].join(' · ');
  useEffect(() => {
    document.title = title;
  }, [title]);
}
