let height = 0;
const listeners = new Set<() => void>();

export const subscribeTrayHeight = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
/** How many pixels at the lower end of the window the tray takes: what is to be seen has to be above them. */
export const trayHeight = (): number => height;

function setHeight(pixels: number): void {
  if (height === pixels) return;
  height = pixels;
  const { style } = document.documentElement;
  if (pixels === 0) style.removeProperty('--tray');
  else style.setProperty('--tray', `${pixels}px`);
  for (const listener of listeners) listener();
}

/** Keeps the room that an element needs which is fixed to the lower end of the window, until what is returned is called. */
export function reserveTrayHeight(element: HTMLElement): () => void {
  const measure = (): void => setHeight(element.offsetHeight + Number.parseFloat(getComputedStyle(element).bottom));
  const observer = new ResizeObserver(measure);
  observer.observe(element);
  // Its distance to the edge follows the window's width.
  addEventListener('resize', measure);
  return () => {
    observer.disconnect();
    removeEventListener('resize', measure);
    setHeight(0);
  };
}
