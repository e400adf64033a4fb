import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { bracketMatching, indentUnit } from '@codemirror/language';
import { type Diagnostic, linter, lintKeymap } from '@codemirror/lint';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { EditorState, Prec } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  tooltips,
} from '@codemirror/view';
import type { SparqlEditorOptions } from './editor-sources.ts';
import { EDITOR_THEME } from './editor-theme.ts';
import { sparqlCompletion } from './sparql-completion.ts';
import { sparqlLanguage } from './sparql-language.ts';

const CHECK_AFTER_MS = 300;
/** Longer texts are data rather than queries; the server checks them. */
const MAX_CHECKED = 200_000;

/**
 * Replaces a selection without the editing of the browser, which would keep the look of the
 * replaced text as inline styles, and the Content-Security-Policy would report them.
 */
const TYPE_OVER = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { data, inputType } = event;
    const { main } = view.state.selection;
    if (inputType !== 'insertText' || data === null || main.empty || view.composing) return false;
    const insert = () => view.state.update(view.state.replaceSelection(data), { userEvent: 'input.type' });
    const handlers = view.state.facet(EditorView.inputHandler);
    if (!handlers.some((handle) => handle(view, main.from, main.to, data, insert))) view.dispatch(insert());
    event.preventDefault();
    return true;
  },
});

/**
 * Shows characters that are invisible or turn text around as what they are: a query must not read
 * differently from what it does.
 */
const SPECIAL_CHARACTERS = highlightSpecialChars({
  // In addition to those that CodeMirror knows.
  addSpecialChars: /[\u202a-\u202c\u2060-\u206f]/g,
  render(code, description) {
    const element = document.createElement('span');
    element.className = 'cm-specialChar';
    element.textContent = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
    element.title = description ?? element.textContent;
    element.setAttribute('aria-label', element.title);
    return element;
  },
});

interface Edges {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/**
 * Places what is said of an option beside the list of completions, or where there is no room,
 * under or over it: CodeMirror would put it over the other options.
 */
function placeOfInfo(_: EditorView, list: Edges, option: Edges, info: Edges, space: Edges) {
  const width = info.right - info.left;
  const height = info.bottom - info.top;
  const right = space.right - list.right;
  const left = list.left - space.left;
  if (width <= Math.max(left, right)) {
    const top = Math.max(space.top, Math.min(option.top, space.bottom - height)) - list.top;
    const isRight = width <= right;
    return {
      style: `top: ${top}px; max-width: ${Math.min(400, isRight ? right : left)}px`,
      class: `cm-completionInfo-${isRight ? 'right' : 'left'}`,
    };
  }
  const side = space.bottom - list.bottom >= height ? 'top' : 'bottom';
  return {
    style: `${side}: ${list.bottom - list.top}px; left: -1px; max-width: ${list.right - list.left}px`,
    class: 'cm-completionInfo-right-narrow',
  };
}

/**
 * An editor of SPARQL. It lives in a shadow root: there CodeMirror adopts constructed style sheets,
 * where in a document it would insert style elements, which a strict Content-Security-Policy
 * forbids.
 */
export class SparqlEditor {
  private readonly view: EditorView;

  constructor(host: HTMLElement, options: SparqlEditorOptions) {
    const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
    const parent = document.createElement('div');
    parent.style.height = '100%';
    root.replaceChildren(parent);
    const run = () => {
      options.onRun();
      return true;
    };
    this.view = new EditorView({
      parent,
      root,
      state: EditorState.create({
        doc: options.text,
        extensions: [
          Prec.highest(keymap.of([{ key: 'Mod-Enter', run }])),
          lineNumbers(),
          highlightActiveLine(),
          highlightActiveLineGutter(),
          SPECIAL_CHARACTERS,
          history(),
          drawSelection(),
          TYPE_OVER,
          bracketMatching(),
          closeBrackets(),
          highlightSelectionMatches(),
          indentUnit.of('  '),
          EditorView.lineWrapping,
          sparqlLanguage(),
          autocompletion({
            override: [sparqlCompletion(options.sources)],
            maxRenderedOptions: 60,
            icons: false,
            positionInfo: placeOfInfo,
          }),
          tooltips({ position: 'absolute' }),
          linter((view) => diagnose(view, options.check), { delay: CHECK_AFTER_MS }),
          keymap.of([
            ...closeBracketsKeymap,
            ...completionKeymap,
            ...lintKeymap,
            ...searchKeymap,
            ...historyKeymap,
            ...defaultKeymap,
            // Escape, then Tab, leaves the editor.
            indentWithTab,
          ]),
          EDITOR_THEME,
          EditorView.contentAttributes.of({
            'aria-label': options.label,
            ...(options.description !== undefined && { 'aria-description': options.description }),
            spellcheck: 'false',
            tabindex: '0',
          }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) options.onChange(update.state.doc.toString());
          }),
        ],
      }),
    });
  }

  get text(): string {
    return this.view.state.doc.toString();
  }

  /** Replaces the text; it can be undone. */
  set text(text: string) {
    this.view.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert: text } });
  }

  focus(): void {
    this.view.focus();
  }

  /** Puts the cursor at a place; line and column start at 1. */
  goTo(line: number, column: number): void {
    const at = offsetOf(this.view.state, line, column);
    this.view.dispatch({ selection: { anchor: at }, scrollIntoView: true });
    this.view.focus();
  }

  destroy(): void {
    this.view.destroy();
  }
}

function offsetOf(state: EditorState, line: number, column: number): number {
  const found = state.doc.line(Math.min(Math.max(1, line), state.doc.lines));
  return Math.min(found.from + Math.max(0, column - 1), found.to);
}

async function diagnose(view: EditorView, check: SparqlEditorOptions['check']): Promise<readonly Diagnostic[]> {
  const { state } = view;
  const text = state.doc.toString();
  if (text.trim() === '' || text.length > MAX_CHECKED) return [];
  const problem = await check(text);
  if (!problem) return [];
  const at = offsetOf(state, problem.line, problem.column);
  const word = /^(?:[\p{L}\p{N}_:?$<>@.-]+|.)/u.exec(text.slice(at))?.[0].length ?? 0;
  // At the end of the text, what precedes is underlined.
  const from = word === 0 ? Math.max(0, at - 1) : at;
  const to = Math.min(state.doc.length, Math.max(from + 1, at + word));
  return [{ from: Math.min(from, to), to, severity: 'error', message: problem.message }];
}
