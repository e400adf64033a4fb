interface RowSelectProps {
  readonly label: string;
  readonly values: readonly string[];
  readonly value: string | undefined;
  /** Returns a value as it is shown; the value itself when not given. */
  readonly shown?: (value: string) => string;
  readonly onChange: (value: string) => void;
}

/** A choice of one of several values in a row, behind its label. */
export function RowSelect({ label, values, value, shown = (each) => each, onChange }: RowSelectProps) {
  return (
    <label class="row">
      <span class="muted">{label}</span>
      <select class="select plain" value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {values.map((each) => (
          <option key={each} value={each}>
            {shown(each)}
          </option>
        ))}
      </select>
    </label>
  );
}
