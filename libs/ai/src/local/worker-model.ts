/** What the thread is started with. */
export interface WorkerModel {
  /** Path of the network, or of the table of a static model. */
  readonly network: string;
  /** Whether the model is a table of rows, one for each token. */
  readonly isStatic: boolean;
  /** As `packTokenizer` gives it. */
  readonly tokenizer: Readonly<Record<string, unknown>>;
  readonly tokenizerConfig: object;
  readonly pooling: 'mean' | 'cls' | 'max' | 'last';
  readonly maxTokens: number;
  readonly threads: number;
  /** One number for a pair, by a cross-encoder: `score`, its logit; `classify`, the probability of the wanted label. Absent: `embed`. */
  readonly task?: 'embed' | 'score' | 'classify';
  /** For `classify`: how many labels there are, and the place of the wanted one. */
  readonly answer?: { readonly labels: number; readonly wanted: number };
}

/** What is used of the package, whose own declarations name files without extensions, which does not resolve here. */
export interface TokenizerPackage {
  readonly Tokenizer: new (
    tokenizer: object,
    config: object,
  ) => {
    model: unknown;
    token_to_id(token: string): number | undefined;
    encode(
      text: string,
      options: {
        readonly add_special_tokens: boolean;
        readonly text_pair?: string;
        readonly return_token_type_ids?: boolean;
      },
    ): { readonly ids: number[]; readonly token_type_ids?: number[] };
  };
}

export type TextTokenizer = InstanceType<TokenizerPackage['Tokenizer']>;

/** A vector of a text, or one number of a pair. */
export type Embed = (text: string, pair: string) => Promise<Float32Array>;
