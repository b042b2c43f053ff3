export { KgModule, KgWorkModule } from './kg.module.js';
