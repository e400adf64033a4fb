import { useEffect, useRef } from 'preact/hooks';
import type { EditorSources } from '../../editor/editor-sources.ts';
import type { SparqlEditor } from '../../editor/sparql-editor.ts';
import { allPrefixes } from '../../rdf/prefixes.ts';
import { vocabularyOf } from '../../rdf/vocabulary.ts';
import { scope } from '../../session/scope.ts';
import { SERVICE_URL } from '../../session/service.ts';
import { worldChanges } from '../../session/world-names.ts';
import { t } from '../../texts.ts';
import { count } from '../../ui/numbers.ts';

interface EditorPaneProps {
  readonly text: string;
  readonly onChange: (text: string) => void;
  readonly onRun: () => void;
  /** Receives the editor once it is loaded. */
  readonly onReady?: (editor: SparqlEditor) => void;
}

/** What the server knows of the chosen worlds. */
const SOURCES: EditorSources = {
  prefixes: allPrefixes,
  // A completion without vocabulary is better than none.
  vocabulary: () =>
    vocabularyOf(scope.value, String(worldChanges.value)).catch((error) => {
      console.warn('The vocabulary of the worlds could not be read.', error);
      return { classes: [], predicates: [] };
    }),
  countText: count,
};

/** Parses a text; the parser is loaded when it is first needed. */
export async function checked(text: string) {
  const { checkSyntax } = await import('../../editor/syntax-check.ts');
  return checkSyntax(text, SERVICE_URL);
}

/** The editor, which is loaded on demand. */
export function EditorPane({ text, onChange, onRun, onReady }: EditorPaneProps) {
  const host = useRef<HTMLDivElement>(null);
  const last = useRef({ onChange, onRun });
  last.current = { onChange, onRun };
  useEffect(() => {
    let editor: SparqlEditor | undefined;
    let isWanted = true;
    // Of now: it is gone if the view is left before the editor is loaded.
    const parent = host.current;
    if (!parent) return undefined;
    void import('../../editor/sparql-editor.ts').then((module) => {
      if (!isWanted) return;
      editor = new module.SparqlEditor(parent, {
        text,
        label: t.sparql.editor,
        description: t.sparql.editorKeys,
        sources: SOURCES,
        onChange: (changed) => last.current.onChange(changed),
        onRun: () => last.current.onRun(),
        async check(current) {
          const found = await checked(current);
          return 'problem' in found ? found.problem : undefined;
        },
      });
      onReady?.(editor);
    });
    return () => {
      isWanted = false;
      editor?.destroy();
    };
  }, []);
  return <div class="editor-host" ref={host} />;
}
