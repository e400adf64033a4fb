/** A named graph of a test's dataset: the graph's name and the file that holds its triples. */
export interface ManifestNamedGraph {
  readonly name: string;
  readonly file: string;
}

/**
 * What a test starts from or ends with: one file, or a request over a dataset made of files. All
 * are published IRIs.
 */
export interface ManifestInput {
  /** Set when the manifest names a file and nothing else. */
  readonly file?: string;
  /** The query or update request (qt:query, ut:request). */
  readonly request?: string;
  /** Files of the default graph (qt:data, ut:data). */
  readonly data: readonly string[];
  readonly graphs: readonly ManifestNamedGraph[];
}

/** One test of a manifest. */
export interface ManifestEntry {
  readonly iri: string;
  readonly name: string;
  /** IRI of the kind of test, as `mf:QueryEvaluationTest`. */
  readonly type: string;
  readonly action: ManifestInput;
  readonly result?: ManifestInput;
  /** JSON-LD options, and what a test expects besides (`expectErrorCode`). */
  readonly options: ReadonlyMap<string, unknown>;
}
