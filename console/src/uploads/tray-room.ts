let room = 0;
const listeners = new Set<() => void>();

export const subscribeRoom = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
/** How many pixels at the lower end of the window the tray takes: what is to be seen has to be above them. */
export const trayRoom = (): number => room;

function setRoom(pixels: number): void {
  if (room === pixels) return;
  room = pixels;
  const { style } = document.documentElement;
  if (pixels === 0) style.removeProperty('--tray');
  else style.setProperty('--tray', `${pixels}px`);
  for (const listener of listeners) listener();
}

/** Keeps the room that an element needs which is fixed to the lower end of the window, until what is returned is called. */
export function keepRoom(element: HTMLElement): () => void {
  const measure = (): void => setRoom(element.offsetHeight + Number.parseFloat(getComputedStyle(element).bottom));
  const observer = new ResizeObserver(measure);
  observer.observe(element);
  // Its distance to the edge follows the window's width.
  addEventListener('resize', measure);
  return () => {
    observer.disconnect();
    removeEventListener('resize', measure);
    setRoom(0);
  };
}
