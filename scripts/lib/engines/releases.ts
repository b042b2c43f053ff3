/** Which search engines the tests run against, and where Maven Central has them. Plain Node runs this folder as it is. */

export const ENGINE_KINDS = ['elasticsearch', 'opensearch'] as const;
export type EngineKind = (typeof ENGINE_KINDS)[number];

/** One zip of Maven Central. */
export interface Artifact {
  readonly groupId: string;
  readonly artifactId: string;
  readonly version: string;
  readonly sha256: string;
  /** Where it is unpacked below the engine's home; undefined: it holds the home itself, below a folder of its own. */
  readonly plugin?: string;
}

export interface EngineRelease {
  readonly kind: EngineKind;
  readonly title: string;
  readonly version: string;
  readonly artifacts: readonly Artifact[];
  /** The lowest Java that it starts on; higher ones up to 25 were tried. */
  readonly minimumJava: number;
  /** Prefix of its environment variables: ES_PATH_CONF, OPENSEARCH_PATH_CONF. */
  readonly prefix: string;
  /** Lines of its main configuration besides those that both have. */
  readonly configuration: readonly string[];
  /** Options of its Java besides those that both have. */
  readonly javaOptions: readonly string[];
  readonly defaultPort: number;
  /** The setting of the service that takes its address. */
  readonly setting: string;
}

/** The builds that the makers test their own plugins with: the server without its container, security and most extras. */
export const ENGINE_RELEASES: Readonly<Record<EngineKind, EngineRelease>> = {
  elasticsearch: {
    kind: 'elasticsearch',
    title: 'Elasticsearch',
    version: '9.2.4',
    artifacts: [
      {
        groupId: 'org.elasticsearch.distribution.integ-test-zip',
        artifactId: 'elasticsearch',
        version: '9.2.4',
        sha256: 'af7b81fe31627c7523b2546351cd4e47310faa6a72c8db8dc8f7a191e871cfaf',
      },
    ],
    minimumJava: 21,
    prefix: 'ES',
    configuration: ['xpack.security.enabled: false'],
    javaOptions: [],
    defaultPort: 9200,
    setting: 'ELASTICSEARCH_URL',
  },
  opensearch: {
    kind: 'opensearch',
    title: 'OpenSearch',
    version: '3.6.0',
    artifacts: [
      {
        groupId: 'org.opensearch.distribution.integ-test-zip',
        artifactId: 'opensearch',
        version: '3.6.0',
        sha256: 'a91faa1dc1cadc78cb278b4f63847e19e1627a4e9de698e14e7efc14ee37b286',
      },
      {
        groupId: 'org.opensearch.plugin',
        artifactId: 'opensearch-knn',
        version: '3.6.0.0',
        sha256: 'ac392ca28a39b3bf290648a422ef30cb149dda2963a9d7feb26060e932341c9a',
        plugin: 'opensearch-knn',
      },
    ],
    minimumJava: 21,
    prefix: 'OPENSEARCH',
    configuration: [],
    // It refuses to start without its security agent.
    javaOptions: ['-javaagent:agent/opensearch-agent.jar'],
    defaultPort: 9201,
    setting: 'OPENSEARCH_URL',
  },
};

/** The name of the file that Maven writes for it. */
export function fileNameOf({ artifactId, version }: Artifact): string {
  return `${artifactId}-${version}.zip`;
}

/** This machine cannot carry the engines: something is missing that this project does not bring along. Not a defect. */
export class EngineUnavailable extends Error {
  override readonly name = 'EngineUnavailable';
}
