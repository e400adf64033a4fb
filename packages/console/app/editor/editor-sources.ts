/** An IRI that may be completed, with the number of its uses. */
export interface OfferedName {
  readonly iri: string;
  readonly count: number;
}

/**
 * What the editor knows of the data that a text is written for. An interface, so that the editor
 * works over a server, over an engine in the page, and over nothing.
 */
export interface EditorSources {
  /** Namespace IRI by prefix name without the colon. */
  prefixes(): ReadonlyMap<string, string>;
  /** Classes and predicates in use. Called for each completion: keep the answer. */
  vocabulary(): Promise<{ readonly classes: readonly OfferedName[]; readonly predicates: readonly OfferedName[] }>;
  /** Returns a count as people read it. */
  countText(count: number): string;
}

/** A mistake in a text; line and column start at 1. */
export interface EditorProblem {
  readonly message: string;
  readonly line: number;
  readonly column: number;
}

/** Options of `SparqlEditor`. */
export interface SparqlEditorOptions {
  readonly text: string;
  /** Name of the editor for screen readers. */
  readonly label: string;
  /** Further words for screen readers: how keys leave the editor. */
  readonly description?: string;
  readonly sources: EditorSources;
  /** Finds the first mistake; called while the person pauses. */
  readonly check: (text: string) => Promise<EditorProblem | undefined>;
  readonly onChange: (text: string) => void;
  /** Ctrl or Command with Enter. */
  readonly onRun: () => void;
}
