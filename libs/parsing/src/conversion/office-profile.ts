import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

type Value = boolean | number | string;

/** No macro runs, no link is followed, and the network is a proxy where no one listens. */
const SETTINGS: readonly (readonly [path: string, name: string, value: Value])[] = [
  ['Office.Common/Security/Scripting', 'MacroSecurityLevel', 3],
  ['Office.Common/Security/Scripting', 'DisableMacrosExecution', true],
  ['Office.Common/Security/Scripting', 'BlockUntrustedRefererLinks', true],
  ['Office.Common/Misc', 'FirstRun', false],
  ['Office.Common/Save/Document', 'CreateBackup', false],
  ['Office.Recovery/AutoSave', 'Enabled', false],
  ['Office.Writer/Content/Update', 'Link', 0],
  ['Inet/Settings', 'ooInetProxyType', 2],
  ['Inet/Settings', 'ooInetHTTPProxyName', '127.0.0.1'],
  ['Inet/Settings', 'ooInetHTTPProxyPort', 9],
  ['Inet/Settings', 'ooInetHTTPSProxyName', '127.0.0.1'],
  ['Inet/Settings', 'ooInetHTTPSProxyPort', 9],
];

/** Writes a fresh profile for one run of LibreOffice. */
export async function writeOfficeProfile(directory: string): Promise<void> {
  const user = join(directory, 'user');
  await mkdir(user, { recursive: true, mode: 0o700 });
  const items = SETTINGS.map(
    ([path, name, value]) =>
      `<item oor:path="/org.openoffice.${path}"><prop oor:name="${name}" oor:op="fuse"><value>${value}</value></prop></item>`,
  );
  const content =
    '<?xml version="1.0" encoding="UTF-8"?>\n' +
    '<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema" ' +
    `xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">${items.join('\n')}</oor:items>\n`;
  await writeFile(join(user, 'registrymodifications.xcu'), content, { mode: 0o600 });
}
