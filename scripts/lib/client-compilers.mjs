/** The crates that a generated client for Rust is compiled with, fetched and compiled once. */
import { spawnSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What the Cargo.toml of a client for Rust asks for; compiled without TLS, which hangs on libraries of the system. */
const CRATES = `[package]
name = "kb_client"
version = "0.0.0"
edition = "2021"
[dependencies]
serde = { version = "^1.0", features = ["derive"] }
serde_with = { version = "^3.8", default-features = false, features = ["base64", "std", "macros"] }
serde_json = "^1.0"
serde_repr = "^0.1"
url = "^2.5"
uuid = { version = "^1.8", features = ["serde", "v4"] }
chrono = { version = "^0.4", features = ["serde"] }
tokio = { version = "^1.46.0", features = ["fs"] }
tokio-util = { version = "^0.7", features = ["codec"] }
reqwest = { version = "^0.13", default-features = false, features = ["json", "multipart", "stream", "query", "form"] }
[features]
default = ["native-tls"]
native-tls = ["reqwest/native-tls"]
rustls = ["reqwest/rustls"]
`;

/** Resolves to the folder whose crates are compiled, or to why there is none. */
export async function prepareRust(folder) {
  if (!runs('cargo', ['--version'])) return { absent: 'there is no cargo' };
  await mkdir(join(folder, 'src'), { recursive: true });
  await writeFile(join(folder, 'src', 'lib.rs'), '');
  const fetched = await fetchOnce(folder, 'Cargo.toml', CRATES, () =>
    runs('cargo', ['check', '--quiet', '--no-default-features'], { cwd: folder }),
  );
  return fetched ? { path: folder } : { absent: 'cargo did not fetch and compile the crates that it needs' };
}

/** Whether `fetch` has done what the file asks for, now or at a run before. */
async function fetchOnce(folder, name, asked, fetch) {
  const done = join(folder, 'done');
  await mkdir(folder, { recursive: true });
  if ((await readFile(done, 'utf8').catch(() => undefined)) === asked) return true;
  await writeFile(join(folder, name), asked);
  if (!fetch()) return false;
  await writeFile(done, asked);
  return true;
}

function runs(program, options, where = {}) {
  const { status, error, stderr } = spawnSync(program, options, { encoding: 'utf8', ...where });
  if (status !== 0 && error?.code !== 'ENOENT') process.stderr.write(`${error?.message ?? stderr}\n`);
  return status === 0;
}
