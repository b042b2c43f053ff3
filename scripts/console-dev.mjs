/**
 * `npm run console:dev`: the console with hot reload, on http://localhost:5173, against a service that runs already: that of `CONSOLE_SERVICE`, else
 * the one on port 8000.
 */
import { createServer } from 'vite';
import { viteOptions } from './build-console.mjs';

const target = process.env.CONSOLE_SERVICE ?? 'http://127.0.0.1:8000';
const server = await createServer({
  ...(await viteOptions()),
  base: '/',
  server: { proxy: { '/api': { target, changeOrigin: false }, '/docs': { target } } },
});
await server.listen();
server.printUrls();
