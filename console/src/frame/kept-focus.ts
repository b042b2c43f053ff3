import { useEffect } from 'react';

const CONTROLS = ['a[href]', 'button', 'input', 'select', 'textarea', 'summary', '[tabindex="0"]']
  .map((kind) => `${kind}:not([tabindex="-1"])`)
  .join();
/** Whoever takes the focus themselves, as a dialog that gives it back, are first. */
const GRACE_MS = 60;

/** Where an element stood: its parents from the nearest on, each with the number of the child that led to it. */
interface Stand {
  readonly element: Element;
  readonly way: readonly { readonly parent: Element; readonly index: number }[];
}

function standOf(element: Element): Stand {
  const way = [];
  for (let child = element; child.parentElement !== null; child = child.parentElement)
    way.push({ parent: child.parentElement, index: [...child.parentElement.children].indexOf(child) });
  return { element, way };
}

const isUsable = (element: HTMLElement): boolean =>
  !element.matches(':disabled, [type="hidden"]') && element.checkVisibility({ visibilityProperty: true });

const firstControlIn = (element: Element): HTMLElement | undefined =>
  [...(element.matches(CONTROLS) ? [element] : []), ...element.querySelectorAll(CONTROLS)].find(
    (one): one is HTMLElement => one instanceof HTMLElement && isUsable(one),
  );

/** What stands now where an element stood, else what stands before that place, in the nearest part of the page that is still there. */
function nearestTo({ way }: Stand): HTMLElement | undefined {
  for (const { parent, index } of way) {
    // The page as a whole is near to nothing: its first control is the way to the content.
    if (parent === document.body) return undefined;
    if (!parent.isConnected) continue;
    const children = [...parent.children];
    for (const near of [...children.slice(index), ...children.slice(0, index).toReversed()]) {
      const control = firstControlIn(near);
      if (control !== undefined) return control;
    }
    if (parent.id === 'main') return undefined;
  }
  return undefined;
}

/** Whoever works by the keyboard, or hears the page, stays near: where what has the focus leaves the page, what is nearest takes it. */
export function useKeptFocus(): void {
  useEffect(() => {
    let last: Stand | undefined;
    /** The last outside of dialogs, which is where a dialog was opened. */
    let outside: Stand | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const remember = ({ target }: FocusEvent): void => {
      if (!(target instanceof Element) || target === document.body) return;
      last = standOf(target);
      if (target.closest('[role=dialog]') === null) outside = last;
    };
    const isLost = (): boolean => last?.element.isConnected === false && document.activeElement === document.body;
    const give = (): void => {
      timer = undefined;
      if (!isLost() || document.querySelector('[role=dialog]') !== null) return;
      const before = outside?.element;
      const next =
        before instanceof HTMLElement && before.isConnected && isUsable(before)
          ? before
          : (nearestTo(last!) ?? (outside === undefined ? undefined : nearestTo(outside)));
      (next ?? document.getElementById('main'))?.focus({ preventScroll: true });
    };
    const observer = new MutationObserver(() => {
      if (timer === undefined && isLost()) timer = setTimeout(give, GRACE_MS);
    });
    document.addEventListener('focusin', remember);
    observer.observe(document.body, { childList: true, subtree: true });
    return () => {
      document.removeEventListener('focusin', remember);
      observer.disconnect();
      clearTimeout(timer);
    };
  }, []);
}
