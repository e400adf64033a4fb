import { EditorView } from '@codemirror/view';

/** The look of the editor, from the properties of the page. */
export const EDITOR_THEME = EditorView.theme({
  '&': { height: '100%', color: 'var(--text)', backgroundColor: 'var(--surface)', fontSize: '13px' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': {
    fontFamily: 'var(--mono)',
    // Without ligatures, which move the slashes of IRIs.
    fontFeatureSettings: '"calt" 0',
    lineHeight: '1.6',
    overflow: 'auto',
  },
  '.cm-content': { padding: '10px 0', caretColor: 'var(--text)' },
  '.cm-line': { padding: '0 14px 0 6px' },
  '.cm-cursor': { borderLeftColor: 'var(--text)', borderLeftWidth: '2px' },
  '.cm-gutters': { backgroundColor: 'var(--surface)', color: 'var(--text-3)', border: 'none', paddingLeft: '6px' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'transparent' },
  '&.cm-focused .cm-activeLineGutter': { color: 'var(--text)' },
  '.cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground': {
    backgroundColor: 'var(--accent-line)',
  },
  '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': {
    backgroundColor: 'var(--accent-soft)',
    outline: '1px solid var(--accent-line)',
  },
  '.cm-specialChar': {
    padding: '0 3px',
    borderRadius: '3px',
    backgroundColor: 'var(--danger-soft)',
    color: 'var(--danger)',
    fontSize: '11px',
  },
  '.cm-selectionMatch': { backgroundColor: 'var(--accent-soft)' },
  '.cm-lintRange-error': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--danger) 1.2px',
    textUnderlineOffset: '4px',
    textDecorationSkipInk: 'none',
  },
  '.cm-tooltip': {
    border: '1px solid var(--line-strong)',
    borderRadius: '8px',
    backgroundColor: 'var(--raised)',
    color: 'var(--text)',
    boxShadow: '0 12px 36px var(--shadow-strong)',
    overflow: 'hidden',
    zIndex: '30',
  },
  // The description of an option is next to the list.
  '.cm-tooltip.cm-tooltip-autocomplete': { overflow: 'visible' },
  '.cm-tooltip.cm-completionInfo': { padding: '6px 10px', fontFamily: 'var(--font)', lineHeight: '1.45' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--mono)', maxHeight: '260px', minWidth: '260px' },
  '.cm-tooltip-autocomplete > ul > li': {
    display: 'flex',
    gap: '16px',
    justifyContent: 'space-between',
    padding: '3px 10px !important',
    lineHeight: '1.6 !important',
  },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { backgroundColor: 'var(--accent-soft)', color: 'var(--text)' },
  '.cm-completionMatchedText': { textDecoration: 'none', color: 'var(--accent)', fontWeight: '600' },
  '.cm-completionDetail': {
    fontStyle: 'normal',
    color: 'var(--text-3)',
    marginLeft: '0',
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    whiteSpace: 'nowrap',
    maxWidth: '260px',
  },
  '.cm-diagnostic': { padding: '8px 12px', borderLeft: '3px solid var(--danger)', fontFamily: 'var(--font)' },
  '.cm-panels': { backgroundColor: 'var(--sunken)', color: 'var(--text)', borderColor: 'var(--line)' },
  '.cm-textfield': {
    backgroundColor: 'var(--surface)',
    border: '1px solid var(--control-line)',
    borderRadius: '5px',
    padding: '4px 8px',
  },
  '.cm-button': {
    backgroundImage: 'none',
    backgroundColor: 'var(--surface)',
    border: '1px solid var(--line-strong)',
    borderRadius: '5px',
    padding: '4px 10px',
  },
});
