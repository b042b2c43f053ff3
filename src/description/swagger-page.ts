/** What the plugin needs of Swagger UI. */
interface PageSystem {
  readonly React: { createElement: (type: unknown, props: unknown, ...children: unknown[]) => unknown };
}
interface TaggedOperations {
  keySeq: () => { toArray: () => string[] };
  filter: (keep: (operations: unknown, tag: string) => boolean) => TaggedOperations;
}
interface OperationsProps {
  readonly specSelectors: { readonly taggedOperations: () => TaggedOperations };
}
declare const SwaggerUIBundle: { readonly plugins: { readonly DownloadUrl: unknown } };

/**
 * A plugin of Swagger UI that draws the operations tag by tag. Drawn as one list, those outside of the window are not in the page from 150
 * rows on: the browser's search does not find them, nor does a link to one. Runs in the browser: it is sent as text and names nothing of
 * this file.
 */
export function drawTagByTag({ React }: PageSystem): unknown[] {
  const byTag = (Operations: unknown) => (props: OperationsProps) => {
    const all = props.specSelectors.taggedOperations();
    const ofTag = (tag: string): OperationsProps['specSelectors'] => ({
      ...props.specSelectors,
      taggedOperations: () => all.filter((_operations, name) => name === tag),
    });
    const tags = all.keySeq().toArray();
    if (tags.length === 0) return React.createElement(Operations, props);
    const lists = tags.map((tag) => React.createElement(Operations, { ...props, key: tag, specSelectors: ofTag(tag) }));
    return React.createElement('div', null, ...lists);
  };
  // The first is what the page has without plugins of its own.
  return [SwaggerUIBundle.plugins.DownloadUrl, { wrapComponents: { operations: byTag } }];
}
