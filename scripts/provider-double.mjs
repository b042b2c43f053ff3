/**
 * Runs a double of a provider of models for tests and trials: `npm run provider-double -- openai|cohere [PORT]`. It prints one line of
 * JSON, `{"origin", "baseUrl"}`, when it listens, and ends with SIGTERM. How it is made to fail: libs/ai/src/testing/doubles/provider-double.ts.
 * Tests that have a build start it as `node scripts/provider-double.mjs openai`.
 */
import { CohereDouble } from '../dist/libs/ai/src/testing/doubles/cohere-double.js';
import { OpenAiDouble } from '../dist/libs/ai/src/testing/doubles/openai-double.js';

const DOUBLES = { openai: OpenAiDouble, cohere: CohereDouble };
const [kind = 'openai', port = '0'] = process.argv.slice(2);
const Double = DOUBLES[kind];
if (Double === undefined) throw new Error(`Unknown double ${kind}: ${Object.keys(DOUBLES).join(' or ')}.`);
const double = await new Double().start(Number(port));
process.stdout.write(`${JSON.stringify({ origin: double.origin, baseUrl: double.baseUrl })}\n`);
process.once('SIGTERM', () => void double.stop().then(() => process.exit(0)));
process.once('SIGINT', () => void double.stop().then(() => process.exit(0)));
