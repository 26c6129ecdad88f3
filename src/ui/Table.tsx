import { clsx } from 'clsx'
import { ArrowDown, ArrowUp } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { Checkbox } from './Checkbox.tsx'
import { Empty } from './Empty.tsx'
import { Skeleton } from './Skeleton.tsx'
import type { Sort } from './url-state.ts'

type Cell<Row> = (row: Row) => ReactNode
type Column<Row> = {
  cell: Cell<Row>
  /** Money and counts stand at the end. */
  end?: boolean
  /** The name by which the server sorts; makes the header a button. */
  sort?: string
  /** A column that a phone's card can do without. */
  wide_only?: boolean
  /** Left out where a table has little room: between a phone's cards and a wide screen. */
  roomy?: boolean
  /** Makes a phone's cards rows of two lines, three with one across: where this stands in them. Others are left out. */
  phone?: 'start' | 'end' | 'across' | 'below' | 'below_end'
  /** A class for the header of a LongTable, whose columns must not move while it scrolls. */
  width?: string
}

export type TableProps<Row extends { id: string }> = {
  label: string
  /** Nothing yet: skeleton rows of the same height. */
  rows: readonly Row[] | undefined
  columns: Readonly<Record<string, Cell<Row> | Column<Row>>>
  /** The text, and an act, when there are no rows. */
  empty: ReactNode
  onPress?: (row: Row) => void
  /** The address of a row: a link, which opens in another tab as well. */
  to?: (row: Row) => string
  sort?: Sort & { press: (by: string) => void }
  skeletons?: number
  /** Rows can be picked, each by a box at its beginning; not on a phone. */
  picked?: RowSelection<Row> | undefined
}

type RowSelection<Row> = {
  has: (row: Row) => boolean
  toggle: (row: Row) => void
  nameOf: (row: Row) => string
}

type PlacedColumn<Row> = Column<Row> & { title: string; spot?: keyof typeof spots | 'none' }

/**
 * Places columns in a row of two lines on phones. If no column is the start, the first one is; it is the start of both lines if
 * no column is below.
 */
export function layOut<Row extends { id: string }>(columns: TableProps<Row>['columns']) {
  const laid = Object.entries(columns).map(([title, column]): PlacedColumn<Row> =>
    typeof column === 'function' ? { title, cell: column } : { title, ...column },
  )
  if (!laid.some(({ phone }) => phone)) return laid
  const begins = laid.some(({ phone }) => phone === 'start')
  const start = laid.some(({ phone }) => phone === 'below') ? 'start' : 'both_starts'
  return laid.map((column, at): PlacedColumn<Row> => ({
    ...column,
    spot: column.phone ?? (at === 0 && !begins ? start : 'none'),
  }))
}

const spots = {
  card: 'flex',
  both_starts: 'col-start-1 row-span-3 row-start-1 flex',
  start: 'col-start-1 row-start-1 flex',
  end: 'col-start-2 row-start-1 flex justify-end max-sm:text-right',
  across: 'col-span-2 row-start-2 mt-1 flex min-w-0 max-sm:text-ui max-sm:text-soft',
  below: 'col-start-1 row-start-3 mt-1 flex max-sm:text-ui max-sm:text-soft',
  below_end: 'col-start-2 row-start-3 mt-1 flex justify-end max-sm:text-right',
}

// One table, laid out on a phone as cards, or as rows of two lines, by CSS alone.
export function Table<Row extends { id: string }>(props: TableProps<Row>) {
  const columns = layOut(props.columns)
  if (props.rows?.length === 0) {
    return typeof props.empty === 'string' ? <Empty title={props.empty} /> : props.empty
  }
  return (
    <table
      aria-label={props.label}
      aria-busy={!props.rows}
      className="block w-full text-sm sm:table"
    >
      <Head columns={columns} sort={props.sort} />
      <tbody className="block divide-y divide-line sm:table-row-group">
        {props.rows
          ? props.rows.map((row) => (
              <TableRow
                key={row.id}
                row={row}
                columns={columns}
                onPress={props.onPress}
                to={props.to}
              />
            ))
          : Array.from({ length: props.skeletons ?? 5 }, (_, at) => (
              <SkeletonRow key={at} columns={columns} />
            ))}
      </tbody>
    </table>
  )
}

type HeadProps<Row> = {
  columns: PlacedColumn<Row>[]
  sort: TableProps<{ id: string }>['sort']
  picks?: boolean
}

export const Head = <Row,>({ columns, sort, picks }: HeadProps<Row>) => (
  <thead className="sr-only sm:not-sr-only sm:table-header-group">
    <tr>
      {picks && (
        <th scope="col" className={clsx('w-11 max-sm:hidden', stickyStyles)}>
          <span className="sr-only">Select</span>
        </th>
      )}
      {columns.map((column) => (
        <Header key={column.title} column={column} sort={sort} />
      ))}
    </tr>
  </thead>
)

// Heads stick below the top bar of a page; a table inside a sheet has no such place, so its heads scroll.
const stickyStyles =
  'sm:sticky sm:top-(--below-bar) sm:z-20 sm:bg-surface sm:shadow-[inset_0_-1px_0_var(--color-line)]'
const betweenStyles = 'sm:max-xl:hidden!'
const inset = 'first:sm:pl-5 last:sm:pr-5'

type HeaderProps<Row> = { column: PlacedColumn<Row>; sort: HeadProps<Row>['sort'] }

function Header<Row>({ column, sort }: HeaderProps<Row>) {
  const sorted = sort && column.sort === sort.by
  const Arrow = sort?.descending ? ArrowDown : ArrowUp
  return (
    <th
      scope="col"
      aria-sort={sorted ? (sort.descending ? 'descending' : 'ascending') : undefined}
      className={clsx(
        'h-10 px-3 text-xs font-medium whitespace-nowrap text-faint',
        stickyStyles,
        inset,
        column.end ? 'text-right' : 'text-left',
        column.width,
        column.roomy && betweenStyles,
      )}
    >
      {sort && column.sort ? (
        <button
          type="button"
          onClick={() => sort.press(column.sort ?? '')}
          className={clsx(
            '-mx-1.5 inline-flex items-center gap-1 rounded px-1.5 py-1 hover:text-ink',
            sorted && 'text-ink',
            column.end && 'flex-row-reverse',
          )}
        >
          {column.title}
          <Arrow className={clsx('size-3.5', !sorted && 'invisible')} aria-hidden />
        </button>
      ) : (
        column.title
      )}
    </th>
  )
}

type RowProps<Row> = {
  row: Row
  columns: PlacedColumn<Row>[]
  onPress: ((row: Row) => void) | undefined
  to: ((row: Row) => string) | undefined
  /** For long tables: the row's index, and the function that measures it. */
  index?: number
  measure?: (element: Element | null) => void
  picked?: RowSelection<Row> | undefined
}

export function TableRow<Row>({
  row,
  columns,
  onPress,
  to,
  index,
  measure,
  picked,
}: RowProps<Row>) {
  return (
    <tr
      ref={measure}
      data-index={index}
      aria-rowindex={index === undefined ? undefined : index + 2}
      className={clsx(
        'relative',
        rowStyles(columns),
        (onPress || to) && 'transition-colors hover:bg-sunken/60',
        picked?.has(row) && 'bg-primary-wash/60',
      )}
    >
      {picked && <PickCell row={row} picked={picked} />}
      {columns.map((column, at) => {
        const content = column.cell(row)
        return (
          <td
            key={column.title}
            data-label={column.title}
            className={clsx(cellStyles(column, at), content === '–' && 'max-sm:hidden')}
          >
            {to && at === 0 ? (
              <Link to={to(row)} className={pressStyles}>
                {content}
              </Link>
            ) : onPress && at === 0 ? (
              <button type="button" onClick={() => onPress(row)} className={pressStyles}>
                {content}
              </button>
            ) : (
              content
            )}
          </td>
        )
      })}
    </tr>
  )
}

// The checkbox lies above the link that covers the row.
const PickCell = <Row,>({ row, picked }: { row: Row; picked: RowSelection<Row> }) => (
  <td className="pl-5 max-sm:hidden sm:w-11">
    <Checkbox
      label={`Select ${picked.nameOf(row)}`}
      checked={picked.has(row)}
      onChange={() => picked.toggle(row)}
      className="relative z-10 block"
    />
  </td>
)

export function SkeletonRow<Row>({ columns }: { columns: PlacedColumn<Row>[] }) {
  return (
    <tr aria-hidden="true" className={rowStyles(columns)}>
      {columns.map((column, at) => (
        <td key={column.title} data-label={column.title} className={cellStyles(column, at)}>
          <Skeleton className={clsx('my-0.5 inline-block h-4', at === 0 ? 'w-36' : 'w-20')} />
        </td>
      ))}
    </tr>
  )
}

// The first cell's button or link covers the whole row: one thing to press, one stop for the keyboard.
const pressStyles = clsx(
  'text-left after:absolute after:inset-0 after:-outline-offset-2 after:outline-primary',
  'focus-visible:outline-none focus-visible:after:rounded-md focus-visible:after:outline-2',
)

const rowStyles = <Row,>(columns: PlacedColumn<Row>[]) =>
  clsx(
    'px-4 py-3 sm:table-row',
    columns[0]?.spot ? 'grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4' : 'block',
  )

const cellStyles = <Row,>(column: PlacedColumn<Row>, at: number) =>
  clsx(
    inset,
    'items-center wrap-anywhere sm:table-cell sm:h-14 sm:px-3 sm:py-2',
    column.spot === undefined && 'justify-between gap-4 py-1',
    column.wide_only || column.spot === 'none' ? 'hidden' : spots[column.spot ?? 'card'],
    column.roomy && betweenStyles,
    column.end && 'figures sm:text-right sm:whitespace-nowrap',
    at === 0
      ? 'font-medium'
      : column.spot === undefined &&
          clsx(
            'before:shrink-0 before:text-ui before:text-faint before:content-[attr(data-label)]',
            'sm:before:content-none',
          ),
  )
