/** The records of the HTTP interface, as far as the demo, the benchmark and the e2e specs look at them. Types only. */

export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly instance: string;
  readonly code: string;
  readonly request_id: string;
  readonly errors?: readonly { readonly pointer: string; readonly code: string; readonly detail: string }[];
  readonly error: {
    readonly message: string;
    readonly type: string;
    readonly param: string | null;
    readonly code: string;
  };
}

export interface Page<T> {
  readonly items: readonly T[];
  readonly total: number;
  readonly skip: number;
  readonly limit: number;
}

export interface DocumentRecord {
  readonly id: string;
  readonly dataset_id: string;
  readonly name: string;
  readonly status: 'pending' | 'processing' | 'completed' | 'failed' | 'quarantined' | 'cancelled';
  readonly current_stage: string;
  readonly processing_progress: number;
  readonly error_message: string | null;
  readonly error: { readonly code: string; readonly stage: string; readonly retryable: boolean } | null;
  readonly warnings: readonly { readonly code: string; readonly detail: string }[];
  readonly searchable: boolean;
  readonly media_type: string;
  readonly size_bytes: number;
  readonly chunk_count: number;
  readonly page_count: number | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly tags: readonly string[];
}

export interface SearchResult {
  readonly chunk_id: string;
  readonly document_id: string;
  readonly document_name: string;
  readonly dataset_id: string;
  readonly text: string;
  readonly score: number;
  readonly position: {
    readonly page: number | null;
    readonly page_end: number | null;
    readonly char_start: number;
    readonly char_end: number;
    readonly heading_path: readonly string[];
  };
  readonly metadata: Readonly<Record<string, unknown>>;
}

export interface SearchAnswer {
  readonly request_id: string;
  readonly results: readonly SearchResult[];
  readonly retrieval: Readonly<Record<string, unknown>>;
}

export interface Citation {
  readonly id: string;
  readonly marker: string;
  readonly answer_start: number;
  readonly answer_end: number;
  readonly document_id: string;
  readonly document_name: string;
  readonly dataset_id: string;
  readonly chunk_id: string;
  readonly page: number | null;
  readonly source_char_start: number;
  readonly source_char_end: number;
  readonly cited_text: string;
  readonly verified: boolean;
}

export interface Grounding {
  readonly status: 'supported' | 'partial' | 'unsupported' | 'refused';
}

/** What the whole answer and the last chunk of a stream share. */
export interface ChatEvidence {
  readonly request_id: string;
  readonly citations: readonly Citation[];
  readonly grounding: Grounding;
  readonly refusal?: { readonly code: string; readonly message: string } | null;
  readonly usage?: {
    readonly prompt_tokens: number;
    readonly completion_tokens: number;
    readonly total_tokens: number;
  } | null;
}

export interface ChatAnswer extends ChatEvidence {
  readonly id: string;
  readonly object: 'chat.completion';
  /** Unix seconds. */
  readonly created: number;
  readonly model: string;
  readonly choices: readonly {
    readonly index: number;
    readonly message: { readonly role: 'assistant'; readonly content: string };
    readonly finish_reason: string;
  }[];
  readonly sources: readonly Readonly<Record<string, unknown>>[];
  readonly retrieval: Readonly<Record<string, unknown>>;
}

export interface ChatChunk extends Partial<ChatEvidence> {
  readonly id: string;
  readonly object: 'chat.completion.chunk';
  readonly choices: readonly {
    readonly index: number;
    readonly delta: { readonly role?: string; readonly content?: string };
    readonly finish_reason: string | null;
  }[];
  readonly sources?: readonly Readonly<Record<string, unknown>>[];
}
