import { describeArea } from './describe-area.js';

await describeArea('analyses');
