/** Names of settings that a bench hands on to the service it starts: its store and its models. */
const HANDED_ON = /^(VECTOR_STORE|ELASTICSEARCH|OPENSEARCH|EMBEDDING|RERANK)(_|$)/;

/** What the environment of a bench says of the store and the models, to be measured with them. */
export function settingsFromEnvironment(environment = process.env) {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => HANDED_ON.test(name)));
}
