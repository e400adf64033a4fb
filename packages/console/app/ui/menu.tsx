import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';

interface MenuProps {
  /** The content of the button. */
  readonly label: ComponentChildren;
  /** Name of the button where `label` is a picture. */
  readonly name?: string;
  readonly buttonClass?: string;
  /** Aligns the menu with the start of its button. */
  readonly atStart?: boolean;
  readonly isDisabled?: boolean;
  /** The name of a panel of controls, which stays open; a menu of actions without it. */
  readonly panel?: string;
  /** Elements with a `role` of menu items; in a panel, buttons with the class `entry`. */
  readonly children: ComponentChildren;
}

/** Distance in pixels that a menu keeps from the edges of the window. */
const MARGIN = 8;

/** Moves an element that reaches out of the window, or behind its edge, into it. */
function keepInWindow(element: HTMLElement): void {
  const { left, right } = element.getBoundingClientRect();
  const over = Math.max(0, right + MARGIN - document.documentElement.clientWidth);
  const shift = left - over < MARGIN ? MARGIN - left : -over;
  if (shift !== 0) element.style.translate = `${shift}px`;
}

/** A button with a menu: arrow keys, Home, End and Escape, as people know it. */
export function Menu({ label, name, buttonClass = 'button', atStart, isDisabled, panel, children }: MenuProps) {
  const [isOpen, setOpen] = useState(false);
  const anchor = useRef<HTMLDivElement>(null);
  const id = useId();
  const items = () => [...(anchor.current?.querySelectorAll<HTMLElement>('[role^="menuitem"], .entry') ?? [])];
  // Before the next key is pressed.
  useLayoutEffect(() => {
    if (!isOpen) return;
    const menu = anchor.current?.querySelector<HTMLElement>('.menu');
    if (menu) keepInWindow(menu);
    (anchor.current?.querySelector<HTMLElement>('.menu input') ?? items()[0])?.focus();
    const leave = (event: Event) => {
      if (!anchor.current?.contains(event.target as Node)) setOpen(false);
    };
    document.addEventListener('pointerdown', leave);
    document.addEventListener('focusin', leave);
    return () => {
      document.removeEventListener('pointerdown', leave);
      document.removeEventListener('focusin', leave);
    };
  }, [isOpen]);
  const close = () => {
    setOpen(false);
    anchor.current?.querySelector('button')?.focus();
  };
  const move = (event: KeyboardEvent) => {
    const all = items();
    const at = all.indexOf(document.activeElement as HTMLElement);
    const isTyping = event.target instanceof HTMLInputElement;
    const keys = {
      ArrowDown: at + 1,
      ArrowUp: at - 1 + all.length,
      ...(!isTyping && { Home: 0, End: all.length - 1 }),
    };
    const to = (keys as Partial<Record<string, number>>)[event.key];
    if (event.key === 'Escape') close();
    else if (to !== undefined) all[to % all.length]?.focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div class="menu-anchor" ref={anchor}>
      <button
        type="button"
        class={buttonClass}
        aria-haspopup={panel === undefined ? 'menu' : 'dialog'}
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        aria-label={name}
        disabled={isDisabled}
        onClick={() => setOpen(!isOpen)}
      >
        {label}
      </button>
      {isOpen && (
        // biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useAriaPropsSupportedByRole: its role depends on what it holds
        <div
          id={id}
          class={`menu ${atStart ? 'start' : ''}`}
          role={panel === undefined ? 'menu' : 'dialog'}
          aria-label={panel}
          tabIndex={-1}
          onKeyDown={move}
          onClick={() => panel === undefined && close()}
        >
          {children}
        </div>
      )}
    </div>
  );
}
