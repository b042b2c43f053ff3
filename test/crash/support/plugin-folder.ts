import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Writes a package of one module as `PLUGINS` expects it, and gives its folder, which the caller removes. */
export async function writePlugin(name: string, source: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'kb-plugin-'));
  const peerDependencies = { 'knowledge-base-service': '>=0.1.0 <1.0.0', '@nestjs/common': '^12.0.0' };
  const file = { name, version: '1.0.0', type: 'module', exports: './index.js', peerDependencies };
  await writeFile(join(folder, 'package.json'), JSON.stringify(file));
  await writeFile(join(folder, 'index.js'), source);
  return folder;
}
