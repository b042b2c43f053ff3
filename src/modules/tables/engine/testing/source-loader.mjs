// Lets Node run the TypeScript sources of the child that holds tables without a build: types are stripped by Node itself, this hook
// finds the `.ts` file behind an import that is written with `.js`.
import { existsSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';

registerHooks({
  resolve(specifier, context, nextResolve) {
    if (specifier.startsWith('.') && specifier.endsWith('.js') && context.parentURL?.endsWith('.ts')) {
      const source = new URL(`${specifier.slice(0, -3)}.ts`, context.parentURL);
      if (existsSync(fileURLToPath(source)))
        return { url: source.href, format: 'module-typescript', shortCircuit: true };
    }
    return nextResolve(specifier, context);
  },
});
