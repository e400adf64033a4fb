import { useState } from 'preact/hooks';
import { t } from '../texts.ts';
import { Visible } from './visible.tsx';

/** More than that would make a page slow. */
const LONGEST = 10_000;

interface LongTextProps {
  readonly text: string;
  /** UTF-16 code units that are shown at first. */
  readonly max: number;
}

/** A text from data of which the beginning is shown, and the rest on demand. */
export function LongText({ text, max }: LongTextProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Visible text={text} max={isOpen ? LONGEST : max} />
      {text.length > max && <MoreButton isOpen={isOpen} onChange={setOpen} />}
    </>
  );
}

interface MoreButtonProps {
  readonly isOpen: boolean;
  readonly onChange: (isOpen: boolean) => void;
}

/** Shows more of a text, or less again. */
export function MoreButton({ isOpen, onChange }: MoreButtonProps) {
  return (
    <button type="button" class="button quiet small" aria-expanded={isOpen} onClick={() => onChange(!isOpen)}>
      {isOpen ? t.showLess : t.showMore}
    </button>
  );
}
