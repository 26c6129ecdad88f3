import { useEffect, useRef } from 'react'
import { Empty, MoreFailed } from './Empty.tsx'
import { Head, layOut, SkeletonRow, Table, TableRow, type TableProps } from './Table.tsx'
import { useWindowRows } from './window-rows.ts'

const row_px = 56
const extra_rows = 12

type Props<Row extends { id: string }> = TableProps<Row> & {
  /** Loads the next rows; undefined if there are none. */
  more: (() => void) | undefined
  /** The next rows could not be loaded; pressing tries again. */
  failed?: boolean
  total: number | null | undefined
}

/** A table of any length: only the rows on screen are drawn, and the next are fetched in time. */
export function LongTable<Row extends { id: string }>(props: Props<Row>) {
  if (!props.rows) return <Table {...props} skeletons={props.skeletons ?? 8} />
  if (props.rows.length === 0) {
    return typeof props.empty === 'string' ? <Empty title={props.empty} /> : props.empty
  }
  return <Rows {...props} rows={props.rows} />
}

function Rows<Row extends { id: string }>(props: Props<Row> & { rows: readonly Row[] }) {
  const { rows, more, failed, total } = props
  const columns = layOut(props.columns)
  const table = useRef<HTMLTableElement>(null)
  const { virtual, from_top } = useWindowRows(table, rows, { row_px, overscan: extra_rows })
  const shown = virtual.getVirtualItems()
  const [first, last] = [shown[0], shown.at(-1)]
  const nears_end = (last?.index ?? 0) >= rows.length - extra_rows
  useEffect(() => {
    if (nears_end && !failed) more?.()
  }, [nears_end, failed, more])
  const above = first ? first.start - from_top : 0
  const below = last ? virtual.getTotalSize() - (last.end - from_top) : 0
  return (
    <table
      ref={table}
      aria-label={props.label}
      aria-rowcount={total == null ? -1 : total + 1}
      className="block w-full table-fixed text-sm sm:table"
    >
      <Head columns={columns} sort={props.sort} picks={Boolean(props.picked)} />
      <tbody className="block divide-y divide-line sm:table-row-group">
        <Gap px={above} columns={columns.length} />
        {shown.map(({ index }) => {
          const row = rows[index]
          return (
            row && (
              <TableRow
                key={row.id}
                row={row}
                columns={columns}
                onPress={props.onPress}
                to={props.to}
                index={index}
                measure={virtual.measureElement}
                picked={props.picked}
              />
            )
          )
        })}
        {more &&
          last?.index === rows.length - 1 &&
          (failed ? (
            <AgainRow columns={columns.length} onPress={more} />
          ) : (
            <SkeletonRow columns={columns} />
          ))}
        <Gap px={below} columns={columns.length} />
      </tbody>
    </table>
  )
}

const AgainRow = ({ columns, onPress }: { columns: number; onPress: () => void }) => (
  <tr className="block sm:table-row">
    <td colSpan={columns} className="block p-4 text-center sm:table-cell">
      <MoreFailed onPress={onPress} />
    </td>
  </tr>
)

/** Stands for the rows that are not drawn. */
const Gap = ({ px, columns }: { px: number; columns: number }) =>
  px > 0 ? (
    <tr aria-hidden="true" className="block border-0 sm:table-row">
      {/* oxlint-disable-next-line jsx-a11y/control-has-associated-label -- empty, and hidden from readers */}
      <td colSpan={columns} className="block p-0 sm:table-cell">
        <span className="block" style={{ height: px }} />
      </td>
    </tr>
  ) : null
