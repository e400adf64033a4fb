import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { t } from '../texts.ts';

export interface Column {
  readonly name: string;
  readonly label: ComponentChildren;
  /** In CSS pixels. */
  readonly width: number;
}

interface VirtualTableProps {
  /** Name of the table for screen readers. */
  readonly label: string;
  readonly columns: readonly Column[];
  readonly rowCount: number;
  /** Returns the content of a cell. Called for the rows in view only. */
  readonly cell: (row: number, column: number) => ComponentChildren;
  readonly rowHeight?: number;
}

/** A place of the table in pixels of rows, and the position of the scroll bar that stands for it. */
interface Exact {
  readonly offset: number;
  readonly top: number;
  readonly scale: number;
}

/** Browsers limit the height of elements; above it, the scroll bar covers more rows per pixel. */
const MAX_HEIGHT_PX = 8_000_000;
const OVERSCAN_ROWS = 6;
const MIN_WIDTH_PX = 60;
/** By which a key changes the width of a column. */
const STEP_PX = 24;
const HEADER_PX = 34;

/**
 * A table of any number of rows, of which only those in view are elements. Arrow keys, Page Up and
 * Down, Home and End move between cells; Enter follows the link of a cell; Shift and the left or right
 * arrow change the width of its column.
 */
export function VirtualTable({ label, columns, rowCount, cell, rowHeight = 34 }: VirtualTableProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 600 });
  const [active, setActive] = useState({ row: 0, column: 0 });
  const [widths, setWidths] = useState<ReadonlyMap<string, number>>(new Map());
  const wantsFocus = useRef(false);
  /** Where keys or the wheel have scrolled to. */
  const exact = useRef<Exact | undefined>(undefined);

  const fullHeight = rowCount * rowHeight;
  const height = Math.min(fullHeight, MAX_HEIGHT_PX);
  const body = Math.max(1, view.height - HEADER_PX);
  /** How many rows' pixels a pixel of the scroll bar stands for. */
  const scale = fullHeight <= MAX_HEIGHT_PX ? 1 : (fullHeight - body) / (height - body);
  // A pixel of the scroll bar may stand for more than a row.
  const offsetAt = (top: number) => {
    const { current } = exact;
    return current && current.top === top && current.scale === scale ? current.offset : top * scale;
  };
  const offset = offsetAt(view.top);
  const first = Math.max(0, Math.floor(offset / rowHeight) - OVERSCAN_ROWS);
  const last = Math.min(rowCount, Math.ceil((offset + body) / rowHeight) + OVERSCAN_ROWS);

  useEffect(() => {
    const element = scroller.current!;
    const measure = () => setView({ top: element.scrollTop, height: element.clientHeight });
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    element.addEventListener('scroll', measure, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', measure);
    };
  }, []);

  useLayoutEffect(() => {
    if (!wantsFocus.current) return;
    const found = scroller.current!.querySelector<HTMLElement>(`[data-cell="${active.row}:${active.column}"]`);
    if (!found) return;
    wantsFocus.current = false;
    found.focus({ preventScroll: true });
    found.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  });

  const widthOf = (column: Column) => widths.get(column.name) ?? column.width;
  const setWidth = (column: Column, width: number) =>
    setWidths((all) => new Map(all).set(column.name, Math.max(MIN_WIDTH_PX, width)));
  const scrollTo = (wanted: number) => {
    const element = scroller.current!;
    const to = Math.max(0, Math.min(fullHeight - body, wanted));
    element.scrollTop = to / scale;
    // As the browser has rounded it.
    exact.current = { top: element.scrollTop, offset: to, scale };
    setView({ top: element.scrollTop, height: element.clientHeight });
  };
  const reveal = (row: number) => {
    const top = row * rowHeight;
    if (top < offset) scrollTo(top);
    else if (top + rowHeight > offset + body) scrollTo(top + rowHeight - body);
  };
  const scrollBy = useRef<(change: number) => void>(() => undefined);
  scrollBy.current = (change) => scrollTo(offsetAt(scroller.current!.scrollTop) + change);
  const isScaled = scale > 1;
  // Without this, a wheel would leave out rows.
  useEffect(() => {
    if (!isScaled) return undefined;
    const element = scroller.current!;
    const onWheel = (event: WheelEvent) => {
      if (event.ctrlKey || event.shiftKey || event.deltaY === 0) return;
      event.preventDefault();
      const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? rowHeight : 1;
      scrollBy.current(event.deltaY * unit);
      element.scrollLeft += event.deltaX * unit;
    };
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  }, [isScaled]);
  const move = (row: number, column: number) => {
    const to = {
      row: Math.max(0, Math.min(rowCount - 1, row)),
      column: Math.max(0, Math.min(columns.length - 1, column)),
    };
    setActive(to);
    wantsFocus.current = true;
    reveal(to.row);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const { row, column } = active;
    const page = Math.max(1, Math.floor(body / rowHeight) - 1);
    const isFar = event.ctrlKey || event.metaKey;
    const to: Record<string, readonly [number, number]> = {
      ArrowDown: [row + 1, column],
      ArrowUp: [row - 1, column],
      ArrowRight: [row, column + 1],
      ArrowLeft: [row, column - 1],
      PageDown: [row + page, column],
      PageUp: [row - page, column],
      Home: [isFar ? 0 : row, 0],
      End: [isFar ? rowCount - 1 : row, columns.length - 1],
    };
    const target = to[event.key];
    const widened = columns[column];
    if (event.shiftKey && (event.key === 'ArrowLeft' || event.key === 'ArrowRight') && widened) {
      event.preventDefault();
      setWidth(widened, widthOf(widened) + (event.key === 'ArrowRight' ? STEP_PX : -STEP_PX));
    } else if (target) {
      event.preventDefault();
      move(...target);
    } else if (event.key === 'Enter' && event.target instanceof HTMLElement && event.target.role === 'gridcell') {
      event.target.querySelector<HTMLElement>('a, button')?.click();
    }
  };
  const resize = (column: Column, event: PointerEvent) => {
    event.preventDefault();
    const handle = event.currentTarget as HTMLElement;
    const before = widthOf(column);
    const start = event.clientX;
    handle.setPointerCapture(event.pointerId);
    handle.onpointermove = ({ clientX }) => setWidth(column, before + clientX - start);
    handle.onpointerup = () => {
      handle.onpointermove = null;
    };
  };
  const numberWidth = 22 + 8 * String(rowCount).length;
  const template = `${numberWidth}px ${columns.map((column) => `${widthOf(column)}px`).join(' ')} minmax(0, 1fr)`;
  const activeRow = Math.min(active.row, Math.max(0, rowCount - 1));
  const rows = Array.from({ length: Math.max(0, last - first) }, (_, i) => first + i);
  // The focus stays in the active cell, and returns to it, while other rows are in view.
  const isAway = rowCount > 0 && (activeRow < first || activeRow >= last);
  if (isAway) rows.push(activeRow);

  return (
    <div
      ref={scroller}
      class="virtual-table"
      role="grid"
      tabIndex={rowCount === 0 ? 0 : -1}
      aria-label={label}
      aria-rowcount={rowCount + 1}
      aria-colcount={columns.length + 1}
      aria-keyshortcuts="Shift+ArrowLeft Shift+ArrowRight"
      onKeyDown={onKeyDown}
    >
      <div class="vt-head" role="row" aria-rowindex={1} style={{ gridTemplateColumns: template }}>
        <div class="vt-number" role="columnheader" aria-colindex={1}>
          <span class="visually-hidden">{t.table.row}</span>#
        </div>
        {columns.map((column, i) => (
          <div key={column.name} role="columnheader" aria-colindex={i + 2} class="clip">
            {column.label}
            <span class="vt-resize" aria-hidden="true" onPointerDown={(event) => resize(column, event)} />
          </div>
        ))}
      </div>
      <div class="vt-body" role="presentation" style={{ height: `${height}px` }}>
        {rows.map((row) => {
          const place = row * rowHeight - offset + view.top;
          // A row that is far away must not make the table higher.
          const top = row === activeRow ? Math.max(0, Math.min(height - rowHeight, place)) : place;
          return (
            <div
              key={row}
              class={`vt-row ${isAway && row === activeRow ? 'away' : ''}`}
              role="row"
              aria-rowindex={row + 2}
              style={{ gridTemplateColumns: template, transform: `translateY(${top}px)`, height: `${rowHeight}px` }}
            >
              <div class="vt-number" role="rowheader" aria-colindex={1}>
                {row + 1}
              </div>
              {columns.map((column, j) => (
                <div
                  key={column.name}
                  role="gridcell"
                  aria-colindex={j + 2}
                  class="clip"
                  data-cell={`${row}:${j}`}
                  tabIndex={row === activeRow && j === active.column ? 0 : -1}
                  onFocus={() => {
                    if (row !== active.row || j !== active.column) setActive({ row, column: j });
                    if (isAway && row === activeRow) reveal(row);
                  }}
                >
                  {cell(row, j)}
                </div>
              ))}
            </div>
          );
        })}
      </div>
    </div>
  );
}
