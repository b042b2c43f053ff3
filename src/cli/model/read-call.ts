import { parseArgs } from 'node:util';
import { LOCAL_MODEL_USES, type LocalModelUse } from '#libs/ai';

/** What the command line asks for. */
export type Call =
  | { readonly kind: 'list' }
  | { readonly kind: 'remove'; readonly name: string }
  | ({ readonly kind: 'recommend' } & RecommendCall)
  | ({ readonly kind: 'install' } & InstallCall);

export interface InstallCall {
  /** A folder, an archive, `org/name` or an address. */
  readonly source: string;
  readonly name: string | undefined;
  readonly revision: string | undefined;
  /** Address of the hub for `org/name`. */
  readonly base: string | undefined;
  readonly use: LocalModelUse | undefined;
  readonly quantized: boolean;
  readonly replace: boolean;
}

export interface RecommendCall {
  /** Primary tags. */
  readonly languages: readonly string[];
  /** A dataset whose documents say which languages. */
  readonly dataset: string | undefined;
  /** Whether the first is installed at once. */
  readonly install: boolean;
  readonly base: string | undefined;
}

export const USAGE = `npm run model -- install SOURCE [options]   SOURCE: a folder, an archive (zip, tar.gz), org/name or https://host/org/name
  --name NAME          what the model is called; by default as its source
  --replace            replace an installed model of that name
  --as embedding|reranking|grounding   what it is for; by default as its files say
  --quantized          take the quantized network where there are several
  --revision REVISION  branch, tag or commit on the hub; default main
  --base ADDRESS       the hub that org/name is asked of; default https://huggingface.co
npm run model -- recommend [LANGUAGE …] [options]   models for these languages (en, de, zh …), the best first
  --dataset ID         for the languages of its documents
  --install            install the first at once; --base ADDRESS as above
npm run model -- list
npm run model -- remove NAME
`;

/** Reads the arguments behind the command's name; a string says what is wrong with them. */
export function readCall(args: readonly string[]): Call | string {
  const parsed = parse(args);
  if (typeof parsed === 'string') return parsed;
  const { values, positionals } = parsed;
  const [kind, first = '', ...more] = positionals;
  const options = Object.keys(values);
  if (kind === 'install') {
    const use = LOCAL_MODEL_USES.find((known) => known === values.as);
    if (first === '' || more.length > 0) return 'Say which model: one SOURCE.';
    if (values.as !== undefined && use === undefined) return `--as is one of ${LOCAL_MODEL_USES.join(', ')}.`;
    if (values.dataset !== undefined || values.install === true)
      return '--dataset and --install are options of recommend.';
    const { name, revision, base, quantized = false, replace = false } = values;
    return { kind, source: first, name, revision, base, use, quantized, replace };
  }
  if (kind === 'recommend') return readRecommend(values, positionals.slice(1));
  if (options.length > 0) return `--${options[0]} is an option of install.`;
  if (kind === 'list' && positionals.length === 1) return { kind };
  if (kind === 'remove' && first !== '' && more.length === 0) return { kind, name: first };
  return 'Say what to do.';
}

function readRecommend(
  { dataset, install = false, base, ...others }: Parsed['values'],
  languages: readonly string[],
): Call | string {
  const [other] = Object.keys(others);
  if (other !== undefined) return `--${other} is no option of recommend.`;
  const odd = languages.find((language) => !/^[a-z]{2,3}$/.test(language));
  if (odd !== undefined) return `${JSON.stringify(odd)} is no language: say en, de, zh …`;
  if (dataset !== undefined && languages.length > 0) return 'Name languages or a dataset, not both.';
  return { kind: 'recommend', languages, dataset, install, base };
}

type Parsed = ReturnType<typeof parseOptions>;

function parse(args: readonly string[]): Parsed | string {
  try {
    return parseOptions(args);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function parseOptions(args: readonly string[]) {
  return parseArgs({
    args: [...args],
    options: {
      name: { type: 'string' },
      revision: { type: 'string' },
      base: { type: 'string' },
      as: { type: 'string' },
      quantized: { type: 'boolean' },
      replace: { type: 'boolean' },
      dataset: { type: 'string' },
      install: { type: 'boolean' },
    },
    allowPositionals: true,
  });
}
