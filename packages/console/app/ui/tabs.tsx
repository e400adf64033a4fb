import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { Icon, type IconName } from './icon.tsx';

export interface Tab<Name extends string> {
  readonly name: Name;
  readonly label: ComponentChildren;
  readonly icon?: IconName;
  readonly isDisabled?: boolean;
}

interface TabsProps<Name extends string> {
  /** Name of the list for screen readers. */
  readonly label: string;
  readonly tabs: readonly Tab<Name>[];
  readonly current: Name;
  readonly onChange: (name: Name) => void;
  /** The panel of the current tab. */
  readonly children?: ComponentChildren;
  readonly panelClass?: string;
}

/** Tabs with their panel; arrow keys go from one to the next. */
export function Tabs<Name extends string>({ label, tabs, current, onChange, children, panelClass }: TabsProps<Name>) {
  const id = useId();
  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    const enabled = tabs.filter((tab) => !tab.isDisabled);
    const at = enabled.findIndex((tab) => tab.name === current);
    const next = enabled[(at + step + enabled.length) % enabled.length];
    if (!next) return;
    event.preventDefault();
    onChange(next.name);
    document.getElementById(`${id}-${next.name}`)?.focus();
  };
  return (
    <>
      <div class="tabs" role="tablist" aria-label={label} onKeyDown={move}>
        {tabs.map((tab) => (
          <button
            key={tab.name}
            id={`${id}-${tab.name}`}
            type="button"
            role="tab"
            aria-selected={tab.name === current}
            aria-controls={tab.name === current ? `${id}-panel` : undefined}
            tabIndex={tab.name === current ? 0 : -1}
            disabled={tab.isDisabled}
            onClick={() => onChange(tab.name)}
          >
            {tab.icon && <Icon name={tab.icon} size={16} />}
            {tab.label}
          </button>
        ))}
      </div>
      <div id={`${id}-panel`} class={panelClass} role="tabpanel" aria-labelledby={`${id}-${current}`}>
        {children}
      </div>
    </>
  );
}
