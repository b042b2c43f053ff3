export { findYamlExcess, type YamlBounds } from './yaml-excess.js';
export { readPlainYaml } from './plain-yaml.js';
