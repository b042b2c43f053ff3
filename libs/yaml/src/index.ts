export { findYamlExcess, type YamlBounds } from './yaml-excess.js';
