/** A script that collects in `said` every announcement to screen readers about uploads or answers. */
export const listenTo = (what: 'uploads' | 'answer'): string => `{
  globalThis.said = [];
  const region = document.querySelector('[data-said=${what}]');
  const note = () => globalThis.said.push(region.textContent);
  new MutationObserver(note).observe(region, { childList: true, subtree: true, characterData: true });
}`;
