/** Media types of program sources and settings files; their text is kept as it is. */
export const SOURCE_MEDIA_TYPES = [
  'text/javascript',
  'text/x-typescript',
  'text/x-python',
  'text/x-java',
  'text/x-c',
  'text/x-c++',
  'text/x-csharp',
  'text/x-go',
  'text/x-rust',
  'text/x-ruby',
  'text/x-php',
  'text/x-shellscript',
  'application/sql',
  'text/x-kotlin',
  'text/x-swift',
  'text/x-scala',
  'text/x-r',
  'text/x-lua',
  'text/x-perl',
  'text/css',
  'text/x-scss',
  'text/x-vue',
  'text/x-dockerfile',
  'text/x-makefile',
  'text/x-cmake',
  'text/x-powershell',
  'text/x-protobuf',
  'text/x-graphql',
  'text/x-terraform',
  'application/yaml',
  'application/toml',
  'text/x-ini',
] as const;

export type SourceMediaType = (typeof SOURCE_MEDIA_TYPES)[number];

/** A file name's extension → media type and the name of the language as code blocks carry it. */
const BY_EXTENSION: Readonly<Record<string, readonly [SourceMediaType, string]>> = {
  js: ['text/javascript', 'javascript'],
  mjs: ['text/javascript', 'javascript'],
  cjs: ['text/javascript', 'javascript'],
  jsx: ['text/javascript', 'jsx'],
  ts: ['text/x-typescript', 'typescript'],
  mts: ['text/x-typescript', 'typescript'],
  cts: ['text/x-typescript', 'typescript'],
  tsx: ['text/x-typescript', 'tsx'],
  py: ['text/x-python', 'python'],
  pyi: ['text/x-python', 'python'],
  java: ['text/x-java', 'java'],
  groovy: ['text/x-java', 'groovy'],
  c: ['text/x-c', 'c'],
  h: ['text/x-c', 'c'],
  cc: ['text/x-c++', 'cpp'],
  cpp: ['text/x-c++', 'cpp'],
  cxx: ['text/x-c++', 'cpp'],
  hpp: ['text/x-c++', 'cpp'],
  hh: ['text/x-c++', 'cpp'],
  cs: ['text/x-csharp', 'csharp'],
  go: ['text/x-go', 'go'],
  rs: ['text/x-rust', 'rust'],
  rb: ['text/x-ruby', 'ruby'],
  php: ['text/x-php', 'php'],
  sh: ['text/x-shellscript', 'sh'],
  bash: ['text/x-shellscript', 'bash'],
  zsh: ['text/x-shellscript', 'zsh'],
  sql: ['application/sql', 'sql'],
  kt: ['text/x-kotlin', 'kotlin'],
  kts: ['text/x-kotlin', 'kotlin'],
  swift: ['text/x-swift', 'swift'],
  scala: ['text/x-scala', 'scala'],
  r: ['text/x-r', 'r'],
  lua: ['text/x-lua', 'lua'],
  pl: ['text/x-perl', 'perl'],
  pm: ['text/x-perl', 'perl'],
  css: ['text/css', 'css'],
  scss: ['text/x-scss', 'scss'],
  less: ['text/x-scss', 'less'],
  vue: ['text/x-vue', 'vue'],
  svelte: ['text/x-vue', 'svelte'],
  dockerfile: ['text/x-dockerfile', 'dockerfile'],
  mk: ['text/x-makefile', 'makefile'],
  cmake: ['text/x-cmake', 'cmake'],
  ps1: ['text/x-powershell', 'powershell'],
  proto: ['text/x-protobuf', 'protobuf'],
  graphql: ['text/x-graphql', 'graphql'],
  tf: ['text/x-terraform', 'terraform'],
  yaml: ['application/yaml', 'yaml'],
  yml: ['application/yaml', 'yaml'],
  toml: ['application/toml', 'toml'],
  ini: ['text/x-ini', 'ini'],
  cfg: ['text/x-ini', 'ini'],
  properties: ['text/x-ini', 'ini'],
  env: ['text/x-ini', 'ini'],
};

/** Whole file names without a telling extension, in lower case → the extension that would tell. */
const BY_NAME: Readonly<Record<string, string>> = {
  dockerfile: 'dockerfile',
  containerfile: 'dockerfile',
  makefile: 'mk',
  gnumakefile: 'mk',
  'cmakelists.txt': 'cmake',
  rakefile: 'rb',
  gemfile: 'rb',
  '.bashrc': 'sh',
  '.profile': 'sh',
  '.editorconfig': 'ini',
  '.env': 'env',
};

/** Extension → media type, of all extensions. */
export const SOURCE_EXTENSIONS: Readonly<Record<string, SourceMediaType>> = Object.fromEntries(
  Object.entries(BY_EXTENSION).map(([extension, [mediaType]]) => [extension, mediaType]),
);

/** The extension that a whole file name represents (`Dockerfile`), undefined for an ordinary name. */
export function extensionOfWholeName(fileName: string): string | undefined {
  const name = fileName.replace(/^.*[/\\]/, '').toLowerCase();
  return Object.hasOwn(BY_NAME, name) ? BY_NAME[name] : undefined;
}

/** The language of a source file by its extension, undefined when the extension names none. */
export function languageOfExtension(extension: string): string | undefined {
  return Object.hasOwn(BY_EXTENSION, extension) ? BY_EXTENSION[extension]![1] : undefined;
}

/** The language of a media type, for files whose name says nothing. */
export function languageOfMediaType(mediaType: string): string | undefined {
  return Object.values(BY_EXTENSION).find(([type]) => type === mediaType)?.[1];
}
