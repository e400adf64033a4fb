import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { t } from '../texts.ts';
import { Icon } from './icon.tsx';

interface DialogProps {
  readonly title: string;
  readonly isWide?: boolean;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** Returns the element with the focus, also in a shadow root, such as the editor. */
function focusedElement(): HTMLElement | undefined {
  let element = document.activeElement;
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  return element instanceof HTMLElement && element !== document.body ? element : undefined;
}

/**
 * A modal dialog. The browser keeps the focus in it, and Escape closes it; the focus then returns to
 * what opened it.
 */
export function Dialog({ title, isWide, onClose, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  // Before an element of the dialog takes the focus.
  useLayoutEffect(() => {
    const dialog = element.current!;
    const before = focusedElement();
    dialog.showModal();
    return () => {
      dialog.close();
      // What opened the dialog may be gone, such as a row that was deleted.
      if (before?.isConnected) before.focus();
      else document.querySelector<HTMLElement>('main')?.focus();
    };
  }, []);
  return (
    <dialog
      ref={element}
      class={`dialog ${isWide ? 'wide' : ''}`}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <header>
        <h2 id={id}>{title}</h2>
        <button type="button" class="button quiet icon" aria-label={t.close} onClick={onClose}>
          <Icon name="close" />
        </button>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <div class="content" tabIndex={0} role="group" aria-labelledby={id}>
        {children}
      </div>
    </dialog>
  );
}
