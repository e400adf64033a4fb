/** A place to write a query; every editor of the playground has this form. */
export interface QueryEditor {
  text: string;
  readonly hasFocus: boolean;
  focus(): void;
  /** Shows where an error is: lines and columns from 1. */
  mark(location: { readonly line: number; readonly column: number } | undefined): void;
}

export interface QueryEditorOptions {
  /** Name for screen readers. */
  readonly label: string;
  /** Ctrl or Command with Enter. */
  readonly onRun: () => void;
  readonly onChange: () => void;
}

/** An editor that every browser has; it serves until the other one is loaded. */
export function plainEditor(parent: HTMLElement, { label, onRun, onChange }: QueryEditorOptions): QueryEditor {
  const area = document.createElement('textarea');
  area.setAttribute('aria-label', label);
  area.spellcheck = false;
  area.rows = 12;
  area.addEventListener('input', onChange);
  area.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    onRun();
  });
  parent.replaceChildren(area);
  return {
    get text() {
      return area.value;
    },
    set text(value) {
      area.value = value;
      onChange();
    },
    get hasFocus() {
      return document.activeElement === area;
    },
    focus: () => area.focus(),
    mark(location) {
      area.toggleAttribute('aria-invalid', location !== undefined);
      if (!location) return;
      const lines = area.value.split('\n').slice(0, location.line - 1);
      const at = lines.reduce((length, line) => length + line.length + 1, 0) + location.column - 1;
      area.focus();
      area.setSelectionRange(at, at + 1);
    },
  };
}
