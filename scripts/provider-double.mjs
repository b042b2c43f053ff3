/**
 * Runs a double of a provider of models for tests and trials: `npm run provider-double -- openai|cohere [PORT]`. It prints one line of
 * JSON, `{"origin", "baseUrl"}`, when it listens, and ends with SIGTERM. How it is made to fail: libs/ai/src/testing/doubles/provider-double.ts.
 * Runs from the sources, without a build; other tests start it as `node scripts/provider-double.mjs openai`.
 */
import { existsSync, readFileSync } from 'node:fs';
import { registerHooks, stripTypeScriptTypes } from 'node:module';
import { fileURLToPath } from 'node:url';

process.removeAllListeners('warning');
registerHooks({
  resolve(specifier, context, next) {
    if (specifier.startsWith('.') && specifier.endsWith('.js') && context.parentURL?.endsWith('.ts')) {
      const source = new URL(`${specifier.slice(0, -3)}.ts`, context.parentURL);
      if (existsSync(source)) return { url: source.href, format: 'module', shortCircuit: true };
    }
    return next(specifier, { ...context, conditions: [...context.conditions, 'source'] });
  },
  load(url, context, next) {
    if (!url.endsWith('.ts')) return next(url, context);
    const source = readFileSync(fileURLToPath(url), 'utf8');
    return { format: 'module', source: stripTypeScriptTypes(source, { mode: 'transform' }), shortCircuit: true };
  },
});

const { OpenAiDouble } = await import('../libs/ai/src/testing/doubles/openai-double.ts');
const { CohereDouble } = await import('../libs/ai/src/testing/doubles/cohere-double.ts');
const DOUBLES = { openai: OpenAiDouble, cohere: CohereDouble };
const [kind = 'openai', port = '0'] = process.argv.slice(2);
const Double = DOUBLES[kind];
if (Double === undefined) throw new Error(`Unknown double ${kind}: ${Object.keys(DOUBLES).join(' or ')}.`);
const double = await new Double().start(Number(port));
process.stdout.write(`${JSON.stringify({ origin: double.origin, baseUrl: double.baseUrl })}\n`);
const end = () => void double.stop().then(() => process.exit(0));
process.once('SIGTERM', end);
process.once('SIGINT', end);
