import { useEffect, useRef, type RefObject } from 'react';

/**
 * The rail as the menu that it is where there is no room beside the page: opened it takes the focus; Escape, a press beside it and leaving it by Tab close
 * it; what opened it has the focus again.
 */
export function useMenu(isOpen: boolean, onClose: () => void): RefObject<HTMLElement | null> {
  const menu = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!isOpen) return undefined;
    const opener = document.activeElement;
    const isOutside = (target: EventTarget | null): boolean =>
      target instanceof Node && menu.current?.contains(target) !== true && opener?.contains(target) !== true;
    const press = ({ key }: KeyboardEvent): void => {
      if (key === 'Escape') onClose();
    };
    const point = ({ target }: PointerEvent): void => {
      if (isOutside(target)) onClose();
    };
    const leave = ({ relatedTarget }: FocusEvent): void => {
      // A dialog that the menu has opened is no part of it, and belongs to it.
      const isDialog = relatedTarget instanceof Element && relatedTarget.closest('[role=dialog]') !== null;
      if (isOutside(relatedTarget) && !isDialog) onClose();
    };
    const nav = menu.current;
    nav?.querySelector<HTMLElement>('a, button')?.focus();
    document.addEventListener('keydown', press);
    document.addEventListener('pointerdown', point);
    nav?.addEventListener('focusout', leave);
    return () => {
      document.removeEventListener('keydown', press);
      document.removeEventListener('pointerdown', point);
      nav?.removeEventListener('focusout', leave);
      const { activeElement: now } = document;
      const isLost = now === null || now === document.body || nav?.contains(now) === true;
      if (isLost && opener instanceof HTMLElement) opener.focus();
    };
  }, [isOpen]);
  return menu;
}
