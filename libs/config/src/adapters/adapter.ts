import type { Setting } from '../setting.js';

/** The settings that an adapter brings, under the names that its opener reads them by. Two adapters share one by naming the same object. */
export type AdapterSettings = Readonly<Record<string, Setting<unknown>>>;

export type ValuesOf<S extends AdapterSettings> = {
  readonly [K in keyof S]: S[K] extends Setting<infer T> ? T : never;
};

/**
 * Which processes may use an adapter at the same time. `one`: it belongs to the process that opened it. `shared-folder`: several, when
 * DATA_DIR is the same folder for all of them. `many`: any number.
 */
export type AdapterProcesses = 'one' | 'shared-folder' | 'many';

/** One way to fill a port, written in one file that imports no vendor. `T` is the port, `C` what the application gives every opener. */
export interface AdapterDefinition<T, C, S extends AdapterSettings = AdapterSettings> {
  /** The value of the port's setting that chooses it. */
  readonly kind: string;
  readonly settings: S;
  /** Members of `settings` without which it cannot be opened. */
  readonly required?: readonly (keyof S & string)[];
  readonly processes: AdapterProcesses;
  /** True for a model that is computed in this process: its calls are not counted, limited or tried again. */
  readonly inProcess?: boolean;
  /** The name of the model that these settings choose, as it is shown; of models alone. */
  modelOf?(values: ValuesOf<S>): string | undefined;
  /** Names of its models, where it has several of its own; the first is what a file of models means that names none. They are chosen by the setting `name`. */
  readonly models?: readonly string[];
  /** Vendor packages, or their scopes, that may be imported in the folder of the definition and nowhere else. */
  readonly packages: readonly string[];
  /** What is wrong with the settings, each as `NAME: sentence.`; asked of adapters that are not chosen too. Reads no file of a vendor. */
  findProblems?(values: ValuesOf<S>, isChosen: boolean): readonly string[];
  /** Loads the adapter's code and opens it. */
  open(values: ValuesOf<S>, context: C): Promise<T>;
  /** Opens what it was in earlier versions under the same settings, beside what it is now: what was made with that goes on being used. */
  openFormer?(values: ValuesOf<S>, own: T): Promise<readonly T[]>;
}

/** The definition as ports list it, whatever its settings are: `openAdapter` gives the opener the values that it declares. */
export function anyAdapter<T, C, S extends AdapterSettings>(
  definition: AdapterDefinition<T, C, S>,
): AdapterDefinition<T, C> {
  return definition as unknown as AdapterDefinition<T, C>;
}

/** A value that the port's setting may have in a later version; its settings are known, and choosing it stops the start. */
export interface AnnouncedAdapter {
  readonly kind: string;
  readonly settings: AdapterSettings;
}

/** One choice that an operator makes, with everything that can be chosen. */
export interface AdapterPort<T, C> {
  /** Name of the setting in the environment. */
  readonly setting: string;
  readonly section: string;
  readonly description: string;
  /** The kind that is chosen where nothing is set. */
  readonly fallback: string;
  readonly adapters: readonly AdapterDefinition<T, C>[];
  readonly announced: readonly AnnouncedAdapter[];
}

/** The ports whose adapters are chosen by settings, under the names that the settings in force have. */
export type AdapterPorts = {
  readonly vectorStore: AdapterPort<unknown, never>;
  readonly objectStorage: AdapterPort<unknown, never>;
  readonly embeddingProvider: AdapterPort<unknown, never>;
  readonly rerankProvider: AdapterPort<unknown, never>;
  readonly chatProvider: AdapterPort<unknown, never>;
  readonly groundingMethod: AdapterPort<unknown, never>;
};

/** Values of adapters' settings, by their names in the environment. What is missing has its default. */
export type AdapterValues = Readonly<Record<string, unknown>>;

/** Every value that the port's setting may have, those of later versions last. */
export function kindsOf(port: AdapterPort<unknown, never>): readonly string[] {
  return [...port.adapters, ...port.announced].map(({ kind }) => kind);
}

/** The settings of one adapter as its opener takes them. */
export function valuesOf<S extends AdapterSettings>(settings: S, values: AdapterValues): ValuesOf<S> {
  const entries = Object.entries(settings).map(([key, { name, fallback }]) => [key, values[name] ?? fallback]);
  return Object.fromEntries(entries) as ValuesOf<S>;
}

/** Names of the settings without which the adapter cannot be opened and that have no value. */
export function missingSettings(definition: AdapterDefinition<unknown, never>, values: AdapterValues): string[] {
  const own: Readonly<Record<string, unknown>> = valuesOf(definition.settings, values);
  const isMissing = (value: unknown): boolean => value === undefined || (Array.isArray(value) && value.length === 0);
  return (definition.required ?? []).filter((key) => isMissing(own[key])).map((key) => definition.settings[key]!.name);
}

/**
 * Adds adapters of other packages to those that can be chosen; at the start, before settings are read and anything is opened.
 * @throws Error for a kind that the port has already
 */
export function registerAdapters<T, C>(port: AdapterPort<T, C>, more: readonly AdapterDefinition<T, C>[]): void {
  const adapters = port.adapters as AdapterDefinition<T, C>[];
  for (const definition of more) {
    if (kindsOf(port).includes(definition.kind)) {
      throw new Error(`${port.setting}=${definition.kind} is there already; an adapter needs a kind of its own`);
    }
    adapters.push(definition);
  }
}

/** Opens what an adapter was in earlier versions; nothing for most. */
export async function openFormerOf<T, C>(
  port: AdapterPort<T, C>,
  kind: string,
  values: AdapterValues,
  own: T,
): Promise<readonly T[]> {
  const definition = port.adapters.find((adapter) => adapter.kind === kind);
  return (await definition?.openFormer?.(valuesOf(definition.settings, values), own)) ?? [];
}

/** Opens the adapter of a kind. Throws for one that is not registered. */
export function openAdapter<T, C>(
  port: AdapterPort<T, C>,
  kind: string,
  values: AdapterValues,
  context: C,
): Promise<T> {
  const definition = port.adapters.find((adapter) => adapter.kind === kind);
  if (definition === undefined) throw new Error(`${port.setting}=${kind} is not registered`);
  return definition.open(valuesOf(definition.settings, values), context);
}
