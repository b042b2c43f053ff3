/**
 * Plugins of Swagger UI. They run in the browser, each sent as text: apart from types, a plugin may use only those names of this file that
 * are functions sent with it.
 */
import { partOf, type Part } from './swagger-parts.js';

type Component = (props: never) => unknown;
interface FilterState {
  readonly layoutSelectors: { readonly currentFilter: () => boolean | string };
}
/** What the plugins need of Swagger UI. */
interface PageSystem extends FilterState {
  readonly React: {
    readonly createElement: (type: unknown, props: unknown, ...children: unknown[]) => unknown;
    readonly useState: <T>(first: T) => [T, (next: T) => void];
    readonly useEffect: (effect: () => void, on: readonly unknown[]) => void;
    readonly useLayoutEffect: (effect: () => void, on: readonly unknown[]) => void;
  };
}
/** The part of Immutable's maps that is used. */
interface Tree {
  readonly get: (name: string) => unknown;
  readonly getIn: (path: readonly string[]) => unknown;
  readonly set: (name: string, value: unknown) => Tree;
}
interface List<T> {
  readonly size: number;
  readonly filter: (keep: (one: T, key: string) => boolean) => List<T>;
  readonly map: (change: (one: T, key: string) => T) => List<T>;
}
interface Focusable {
  scrollTop: number;
  focus: (options: { preventScroll: boolean }) => void;
}
declare const document: { readonly querySelector: (selector: string) => Focusable | null };

/**
 * Resolves one operation with the parts that it refers to; Swagger UI would resolve the whole description at the start and for each opened
 * operation. Also reads the description as JSON instead of YAML.
 */
export function resolveParts(): object {
  type Resolve = (whole: Part, path: readonly string[], options: unknown) => unknown;
  return {
    afterLoad(this: { readonly fn: { resolveSubtree: Resolve } }): void {
      const resolve = this.fn.resolveSubtree;
      this.fn.resolveSubtree = (whole, path, options) => resolve(partOf(whole, path), path, options);
    },
    statePlugins: {
      spec: {
        wrapActions: {
          parseToJson:
            (_byYaml: unknown, { specActions }: { specActions: { updateJsonSpec: (json: unknown) => unknown } }) =>
            (text: string) =>
              specActions.updateJsonSpec(JSON.parse(text)),
        },
      },
    },
  };
}

/** The words that are searched for; `true` and `false` are values of the setting, not words. */
export function wordsOf({ layoutSelectors }: FilterState): string {
  const filter = layoutSelectors.currentFilter();
  return typeof filter === 'string' ? filter.trim().toLowerCase() : '';
}

/** Finds operations by words of their method, path, summary, name and tag; during a search, tags with matches are open. */
export function findOperations({ React }: PageSystem): object {
  const opsFilter = (tagged: List<Tree>, phrase: string): List<Tree> => {
    const words = phrase.toLowerCase().split(/\s+/);
    const has = (operation: Tree, tag: string): boolean => {
      const own = [operation.getIn(['operation', 'summary']), operation.getIn(['operation', 'operationId'])];
      const text = [tag, operation.get('method'), operation.get('path'), ...own].join(' ').toLowerCase();
      return words.every((word) => text.includes(word));
    };
    const operationsOf = (group: Tree): List<Tree> => group.get('operations') as List<Tree>;
    return tagged
      .map((group, tag) =>
        group.set(
          'operations',
          operationsOf(group).filter((one) => has(one, tag)),
        ),
      )
      .filter((group) => operationsOf(group).size > 0);
  };
  interface OperationsProps extends FilterState {
    readonly specSelectors: { readonly taggedOperations: () => List<Tree> };
  }
  const orNone = (Operations: Component) => (props: OperationsProps) =>
    wordsOf(props) !== '' && props.specSelectors.taggedOperations().size === 0
      ? React.createElement('p', { role: 'status' }, 'No operation has all of these words.')
      : React.createElement(Operations, props);
  const openWhileFiltering =
    (isShown: (path: unknown, byDefault: boolean) => boolean, system: FilterState) =>
    (_state: unknown, path: readonly string[] | string, byDefault: boolean) =>
      (path[0] === 'operations-tag' && wordsOf(system) !== '') || isShown(path, byDefault);
  return {
    fn: { opsFilter },
    wrapComponents: { operations: orNone },
    statePlugins: { layout: { wrapSelectors: { isShown: openWhileFiltering } } },
  };
}

/** The search field, with a label; it searches after a pause in typing. */
export function showFilter({ React }: PageSystem): object {
  const label = 'Find operations by path, summary or tag';
  const FilterContainer = (props: FilterState & { layoutActions: { updateFilter: (words: string) => void } }) => {
    const [value, setValue] = React.useState(wordsOf(props));
    React.useEffect(() => {
      if (value.trim().toLowerCase() === wordsOf(props)) return undefined;
      const timer = setTimeout(() => props.layoutActions.updateFilter(value), 200);
      return () => clearTimeout(timer);
    }, [value]);
    const input = React.createElement('input', {
      type: 'search',
      className: 'operation-filter-input',
      placeholder: label,
      'aria-label': label,
      value,
      onChange: (event: { target: { value: string } }) => setValue(event.target.value),
    });
    return React.createElement(
      'div',
      { className: 'filter-container' },
      React.createElement('section', { className: 'filter wrapper' }, input),
    );
  };
  return { components: { FilterContainer } };
}

/** Opens *Authorize* with the focus on its first field; otherwise each way to authorize would take the focus from the one before. */
export function openAtFirstField({ React }: PageSystem): object {
  const atFirst = (Popup: Component) => (props: object) => {
    React.useLayoutEffect(() => {
      document.querySelector('.modal-ux input')?.focus({ preventScroll: true });
      const content = document.querySelector('.modal-ux-content');
      if (content !== null) content.scrollTop = 0;
    }, []);
    return React.createElement(Popup, props);
  };
  return { wrapComponents: { authorizationPopup: atFirst } };
}

/**
 * Shows an HTML answer as a link that downloads it, like any other file. It is not opened in place, because its scripts would run as part
 * of this page, which holds credentials.
 */
export function linkPages({ React }: PageSystem): object {
  interface BodyProps {
    readonly contentType?: string;
    readonly headers?: Readonly<Record<string, string>>;
  }
  const asFile = (Body: Component) => (props: BodyProps) => {
    if (!/^text\/html\b/i.test(props.contentType ?? '')) return React.createElement(Body, props);
    const served = props.headers?.['content-disposition'] ?? 'inline; filename="page.html"';
    const headers = { ...props.headers, 'content-disposition': served.replace(/^\s*inline\b/i, 'attachment') };
    return React.createElement(Body, { ...props, headers });
  };
  return { wrapComponents: { responseBody: asFile } };
}
