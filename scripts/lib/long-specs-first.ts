import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Take much longer than their size tells, by which Vitest puts files into order that it has not run here before. */
const LONG = ['test/browser/console-screens.spec.ts'];

/** As Vitest orders files, but for those first that would otherwise run alone at the end. */
export class LongSpecsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification): boolean => LONG.some((name) => moduleId.endsWith(name));
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}
