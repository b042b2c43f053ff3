import {
  Embedder,
  type EmbeddedTexts,
  type EmbedderDescriptor,
  type EmbeddingPurpose,
  type ModelCallOptions,
} from '#libs/ai';

/** The built-in embedding folded to fewer dimensions, which is another embedding space. */
class FoldedEmbedder extends Embedder {
  readonly descriptor: EmbedderDescriptor;

  constructor(
    private readonly inner: Embedder,
    private readonly dimensions: number,
  ) {
    super();
    const space = `folded-${dimensions}`;
    this.descriptor = { ...inner.descriptor, model: space, dimensions, space };
  }

  async embed(texts: readonly string[], purpose: EmbeddingPurpose): Promise<EmbeddedTexts> {
    const { vectors, usage } = await this.inner.embed(texts, purpose);
    return { vectors: vectors.map((vector) => this.fold(vector)), usage };
  }

  private fold(vector: Float32Array): Float32Array {
    const folded = new Float64Array(this.dimensions);
    vector.forEach((value, at) => {
      folded[(at * 7) % this.dimensions]! += at % 2 === 0 ? value : -value;
    });
    const length = Math.hypot(...folded);
    return Float32Array.from(folded, (value) => value / length);
  }
}

/** An installation with changing settings: `use` represents a restart with another embedding model. Counts the embedded texts. */
export class SwitchableEmbedder extends Embedder {
  /** Number of texts of documents that were embedded so far. */
  embedded = 0;
  /** Called before each batch of documents; may throw. */
  onBatch: () => void | Promise<void> = () => undefined;
  private current: Embedder;

  constructor(private readonly builtIn: Embedder) {
    super();
    this.current = builtIn;
  }

  get descriptor(): EmbedderDescriptor {
    return this.current.descriptor;
  }

  use(model: 'builtin' | { readonly dimensions: number }): void {
    this.current = model === 'builtin' ? this.builtIn : new FoldedEmbedder(this.builtIn, model.dimensions);
  }

  async embed(texts: readonly string[], purpose: EmbeddingPurpose, options?: ModelCallOptions): Promise<EmbeddedTexts> {
    if (purpose === 'document') {
      await this.onBatch();
      this.embedded += texts.length;
    }
    return this.current.embed(texts, purpose, options);
  }
}
