const SHOWN_LINES = 8;

/**
 * A Vitest reporter that names, at the end of a run, what failed without a test to blame: files that could not be loaded, hooks
 * of files, errors that no one caught.
 */
export default class OutsideErrors {
  onTestRunEnd(modules, unhandledErrors) {
    const ofFiles = modules.flatMap((module) => [
      ...module.errors().map((error) => [module.relativeModuleId, error]),
      ...[...module.children.allSuites()].flatMap((suite) =>
        suite.errors().map((error) => [`${module.relativeModuleId}: ${suite.fullName}`, error]),
      ),
    ]);
    const lines = [...ofFiles, ...unhandledErrors.map((error) => ['caught by nobody', error])].flatMap(show);
    if (lines.length > 0) console.log(['', 'Failed outside the tests:', ...lines].join('\n'));
  }
}

function show([place, error]) {
  const text = error.stack ?? `${error.name ?? 'Error'}: ${error.message ?? JSON.stringify(error)}`;
  const said = text.includes(error.message ?? '') ? text : `${error.message}\n${text}`;
  return [
    `  - ${place}`,
    ...said
      .split('\n')
      .slice(0, SHOWN_LINES)
      .map((line) => `      ${line}`),
  ];
}
