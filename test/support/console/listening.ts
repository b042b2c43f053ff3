/** A script that notes in `said` what a screen reader is told of uploads or answers from now on. */
export const listenTo = (what: 'uploads' | 'answer'): string => `{
  globalThis.said = [];
  const region = document.querySelector('[data-said=${what}]');
  const note = () => globalThis.said.push(region.textContent);
  new MutationObserver(note).observe(region, { childList: true, subtree: true, characterData: true });
}`;
