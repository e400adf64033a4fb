import type { WorldsEngine } from '@rdf-worlds/core';
import type { EditorSources, OfferedName } from '../../console/app/editor/editor-sources.ts';
import { SparqlEditor } from '../../console/app/editor/sparql-editor.ts';
import type { QueryEditor, QueryEditorOptions } from './query-editor.ts';

export interface ConsoleEditorOptions extends QueryEditorOptions {
  readonly engine: WorldsEngine;
  /** The worlds that a query would read. */
  readonly sources: () => readonly string[];
  /** Number of changes of any world so far. */
  readonly changes: () => number;
  /** Namespace IRI by prefix name, offered in addition to what the text declares. */
  readonly prefixes: ReadonlyMap<string, string>;
}

/** Classes and predicates that are offered of each world. */
const MAX_NAMES = 2_000;

/**
 * The editor of the console, over the engine in the page: it highlights, underlines the first error
 * while typing, and completes the vocabulary of the chosen worlds. A module of its own, so that it
 * is loaded after the first answer.
 */
export function consoleEditor(parent: HTMLElement, text: string, options: ConsoleEditorOptions): QueryEditor {
  const { engine, label, onRun, onChange } = options;
  const host = document.createElement('div');
  host.className = 'editor';
  parent.replaceChildren(host);
  const editor = new SparqlEditor(host, {
    text,
    label,
    sources: engineSources(options),
    onRun,
    onChange,
    async check(query) {
      const { error } = await engine.validate({ query });
      // An error without a place is shown when the query runs.
      return error?.location && { message: error.message, line: error.location.line, column: error.location.column };
    },
  });
  return {
    get text() {
      return editor.text;
    },
    set text(value) {
      editor.text = value;
    },
    get hasFocus() {
      return document.activeElement === host;
    },
    focus: () => editor.focus(),
    // Errors are underlined already; the cursor goes there.
    mark(location) {
      if (location) editor.goTo(location.line, location.column);
    },
  };
}

function engineSources({ engine, sources, changes, prefixes }: ConsoleEditorOptions): EditorSources {
  /** Of the worlds as they were after `counted` changes. */
  const kept = new Map<string, Promise<Vocabulary>>();
  let counted = 0;
  return {
    prefixes: () => prefixes,
    async vocabulary() {
      if (counted !== changes()) kept.clear();
      counted = changes();
      const found = await Promise.all(
        sources().map((source) => {
          const vocabulary = kept.get(source) ?? vocabularyOf(engine, source);
          kept.set(source, vocabulary);
          return vocabulary;
        }),
      );
      return {
        classes: found.flatMap(({ classes }) => classes),
        predicates: found.flatMap(({ predicates }) => predicates),
      };
    },
    countText: (count) => count.toLocaleString('en'),
  };
}

interface Vocabulary {
  readonly classes: readonly OfferedName[];
  readonly predicates: readonly OfferedName[];
}

async function vocabularyOf(engine: WorldsEngine, source: string): Promise<Vocabulary> {
  const { classes, predicates } = await engine.schema({ source, limit: MAX_NAMES });
  return {
    classes: classes.map(({ class: iri, count }) => ({ iri, count })),
    predicates: predicates.map(({ predicate: iri, count }) => ({ iri, count })),
  };
}
