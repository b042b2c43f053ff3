/** A request, for programs. */
export interface ShownRequest {
  readonly url: string;
  /** Where the request names one of several tenants. */
  readonly tenantId?: string | undefined;
  readonly body: object;
}

export type Language = 'curl' | 'typescript' | 'python';

/** The environment variable that holds the token in every snippet. */
export const TOKEN_VARIABLE = 'KB_TOKEN';

/** A program that sends just this request, with the token from an environment variable. */
export const SNIPPETS: Readonly<Record<Language, (request: ShownRequest) => string>> = {
  curl: curlOf,
  typescript: typescriptOf,
  python: pythonOf,
};

function curlOf({ url, tenantId, body }: ShownRequest): string {
  const lines = [
    `curl -sS ${quoted(url)}`,
    `-H "Authorization: Bearer $${TOKEN_VARIABLE}"`,
    ...(tenantId === undefined ? [] : [`-H ${quoted(`X-Tenant-ID: ${tenantId}`)}`]),
    `-H 'Content-Type: application/json'`,
    `--data-raw ${quoted(JSON.stringify(body, null, 2))}`,
  ];
  return lines.join(' \\\n  ');
}

/** A word of a POSIX shell in which nothing has a meaning. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function typescriptOf({ url, tenantId, body }: ShownRequest): string {
  const tenant = tenantId === undefined ? '' : `\n    'X-Tenant-ID': ${JSON.stringify(tenantId)},`;
  return `const response = await fetch(${JSON.stringify(url)}, {
  method: 'POST',
  headers: {
    Authorization: \`Bearer \${process.env.${TOKEN_VARIABLE}}\`,
    'Content-Type': 'application/json',${tenant}
  },
  body: JSON.stringify(${indented(JSON.stringify(body, null, 2), 2)}),
});
if (!response.ok) throw new Error(await response.text());
const { results } = (await response.json()) as {
  results: { chunk_id: string; document_name: string; score: number; text: string }[];
};
for (const { chunk_id, score, document_name } of results) console.log(chunk_id, score, document_name);`;
}

function pythonOf({ url, tenantId, body }: ShownRequest): string {
  const tenant = tenantId === undefined ? '' : `\n        "X-Tenant-ID": ${JSON.stringify(tenantId)},`;
  return `import json
import os
import urllib.request

request = urllib.request.Request(
    ${JSON.stringify(url)},
    data=json.dumps(${indented(pythonValue(body, 0), 4)}).encode(),
    headers={
        "Authorization": f"Bearer {os.environ['${TOKEN_VARIABLE}']}",
        "Content-Type": "application/json",${tenant}
    },
)
with urllib.request.urlopen(request) as response:
    results = json.load(response)["results"]
for result in results:
    print(result["chunk_id"], result["score"], result["document_name"])`;
}

const STEP = 4;

/** A value in Python's words. A JSON string is a Python string save for halves of characters outside the basic plane. */
function pythonValue(value: unknown, depth: number): string {
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value !== 'object') return JSON.stringify(value);
  const inner = ' '.repeat((depth + 1) * STEP);
  const parts = Array.isArray(value)
    ? value.map((item) => pythonValue(item, depth + 1))
    : Object.entries(value).map(([name, item]) => `${JSON.stringify(name)}: ${pythonValue(item, depth + 1)}`);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  if (parts.length === 0) return `${open}${close}`;
  return `${open}\n${parts.map((part) => `${inner}${part},\n`).join('')}${' '.repeat(depth * STEP)}${close}`;
}

const indented = (text: string, spaces: number): string => text.replaceAll('\n', `\n${' '.repeat(spaces)}`);
