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

/** A button with a menu: arrow keys, Home, End and Escape, as people know it. */
export function Menu({ label, name, buttonClass = 'button', atStart, isDisabled, panel, children }: MenuProps) {
  const [isOpen, setOpen] = useState(false);
  const anchor = useRef<HTMLDivElement>(null);
  const id = useId();
  const items = () => [...(anchor.current?.querySelectorAll<HTMLElement>('[role^="menuitem"], .entry') ?? [])];
  // Before the next key is pressed.
  useLayoutEffect(() => {
    if (!isOpen) return;
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
